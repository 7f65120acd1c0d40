import type { Mapping } from '../csv/columns.ts'

/** The result of reading a file. `rows` is the number of its records below the header. */
export type Summary = { header: string[]; rows: number; samples: string[] }

/** A row that was not imported. `index` is that of its record. */
export type Refused = { index: number; reason: string }

/** Rows for one request. `at` holds the record of each row, and `next` the record to go on with. */
export type Batch = { contacts: object[]; at: number[]; refused: Refused[]; next: number }

export type Tasks = {
  read: { input: File; output: Summary }
  batch: { input: { from: number; mapping: Mapping }; output: Batch }
  /** A CSV file of the refused rows with their reasons. */
  refusedFile: { input: Refused[]; output: Blob }
}

export type TaskName = keyof Tasks
export type Asked = { [Name in TaskName]: { id: number; name: Name; input: Tasks[Name]['input'] } }[TaskName]
export type Answered = { id: number; output: unknown } | { id: number; fault: string }
