/** What one line of the table says. */
export type Result = {
  /** Of the table of targets: `1`, or `6a` where a row has parts. */
  row: string
  what: string
  ours: string
  reference: string
  /** Ours over the reference's; for times, the other way round is the target's matter. */
  ratio: number | null
  target: string
  /** Null where the line has no target and only explains another. */
  met: boolean | null
  latency?: string
  memory?: string
}

export type Options = {
  /** A short run: whether everything works, not how fast it is. */
  quick: boolean
  rounds: number
  /** Of one measurement. */
  seconds: number
  say(progress: string): void
}

export type Workload = { name: string; run(options: Options): Promise<Result[]> }
