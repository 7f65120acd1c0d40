/** A task for a thread. `input` is the JSON of a context; `same` names a member and another one with the same value. */
export type Task = Asked & { input: string; same?: Same | undefined }
export type Asked = { kind: 'code'; source: string } | { kind: 'jsonpath'; expression: string }
type Same = [name: string, other: string]

/**
 * `output` is JSON. A `fault` is an error of the author. After a fault that is `spent`, the thread runs no other task.
 */
export type Answer = { output: string } | { fault: string; spent?: true }

/** The answer of a thread. `ms` is how long the thread worked. */
export type Done = { answer: Answer; ms: number }

/** The wall-clock time of one task. */
export const taskMaxMs = 1000
/** The machines that a thread keeps. One takes two milliseconds to make and up to 16 MiB of memory. */
export const machinesMax = 4
/** The memory of the code; WebAssembly has pages of 64 KiB. */
export const codeMemoryPages = 512
/** The length of an output as JSON, in UTF-16 units. */
export const outputMax = 256 * 1024
/** The length of each text in a fault that comes from the code, in UTF-16 units. */
export const faultMax = 2000
/** The nesting of an output, small enough for all recursive functions that read it. */
export const depthMax = 100
