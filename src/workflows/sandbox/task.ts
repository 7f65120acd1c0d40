/** What a thread is asked to do with `input`, the JSON text of a context; `same` names a member of it, and another that is the same. */
export type Task = Asked & { input: string; same?: Same | undefined }
export type Asked = { kind: 'code'; source: string } | { kind: 'jsonpath'; expression: string }
export type Same = [name: string, other: string]

/**
 * `output` is JSON. A `fault` is its author's to mend. After one that is `spent`, no other task runs in the same thread.
 */
export type Answer = { output: string } | { fault: string; spent?: true }

/** Wall-clock time of one task. */
export const taskMaxMs = 1000
/** Of the code's own: WebAssembly has pages of 64 KiB. */
export const codeMemoryPages = 512
/** UTF-16 units of the JSON. */
export const outputMax = 256 * 1024
/** Shallow enough for every recursive walk behind it. */
export const depthMax = 100
