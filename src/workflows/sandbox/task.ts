/** A task for a thread. `input` is the JSON of a context; `same` names a member and another one with the same value. */
export type Task = Asked & { input: string; same?: Same | undefined }
export type Asked = { kind: 'code'; source: string } | { kind: 'jsonpath'; expression: string }
export type Same = [name: string, other: string]

/**
 * `output` is JSON. A `fault` is its author's to mend. After one that is `spent`, no other task runs in the same thread.
 */
export type Answer = { output: string } | { fault: string; spent?: true }

/** The answer of a thread. `ms` is how long the thread worked. */
export type Done = { answer: Answer; ms: number }

/** Wall-clock time of one task. */
export const taskMaxMs = 1000
/** That a thread keeps. One takes two milliseconds to make and up to 16 MiB to keep. */
export const machinesMax = 4
/** The memory of the code; WebAssembly has pages of 64 KiB. */
export const codeMemoryPages = 512
/** UTF-16 units of the JSON. */
export const outputMax = 256 * 1024
/** UTF-16 units of each text that a fault has from the code. */
export const faultMax = 2000
/** Shallow enough for every recursive walk behind it. */
export const depthMax = 100
