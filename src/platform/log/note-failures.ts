export type FailureLog = { warn(details: Record<string, unknown>, message: string): void }

type Failures = { note(reason: string): void; clear(): void }

/** Logs one line when a provider begins to fail, not one for each message. */
export function noteFailures(log: FailureLog | undefined, service: string): Failures {
  let well = true
  return {
    note(reason) {
      if (well) log?.warn({ reason }, `${service} fails`)
      well = false
    },
    clear() {
      well = true
    },
  }
}
