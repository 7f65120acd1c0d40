import { requestsKeptDays } from '../../../../src/platform/request-log/kept.ts'

const dayMs = 86_400_000

/** Tells whether the log still holds a request of this time. */
export function isLogged(at: string, now: Date): boolean {
  return now.getTime() - Date.parse(at) < requestsKeptDays * dayMs
}

/** Reads the filter of a status. A text that is no status has a fault, and filters nothing. */
export function readStatus(text: string | undefined): { status?: string; fault?: string } {
  if (text === undefined) return {}
  return /^[1-5]\d\d$/.test(text) ? { status: text } : { fault: 'Write a whole status, such as 422.' }
}
