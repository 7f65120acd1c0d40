/** One line of the table. */
export type Result = {
  /** The row in the table of targets: `1`, or `6a` where a row has parts. */
  row: string
  what: string
  ours: string
  reference: string
  /** Our figure divided by the reference's, for times too. */
  ratio: number | null
  target: string
  /** Null where the line only explains another and has no target. */
  met: boolean | null
  latency?: string
  memory?: string
}

export type Options = {
  /** A short run, which shows whether everything works. */
  quick: boolean
  rounds: number
  /** The length of one measurement. */
  seconds: number
  say(progress: string): void
}

export type Workload = { name: string; run(options: Options): Promise<Result[]> }
