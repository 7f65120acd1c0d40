import { type Json, objectOf } from '../../../platform/http/read-foreign-json.ts'

/**
 * An error that the Graph API answers. `passing`: nothing was done, and what was asked is not to blame; `fault`: nobody
 * knows whether it was done; `refusal`: what was asked is not to be had.
 */
export type GraphFailure = { kind: 'passing' | 'fault' | 'refusal'; message: string; data: Record<string, unknown> }

/** Meta asks to go by its codes, since the statuses of HTTP vary. */
export function failureOf({ status, body }: { status: number; body: Json }): GraphFailure {
  const error = objectOf(body.error)
  const code = typeof error.code === 'number' ? error.code : null
  const data = { code, message: wordsOf(error) }
  // Its words may quote the token.
  if (isOfAccess(status, code)) return { kind: 'passing', message: shutOut(status, code), data: { code } }
  if (passingStatuses.has(status) || busy.has(code ?? -1))
    return { kind: 'passing', message: `WhatsApp takes nothing more at the moment: ${wordsOf(error) || status}.`, data }
  if (status >= 500 || code === 1)
    return { kind: 'fault', message: `WhatsApp has a fault of its own (${wordsOf(error) || status}).`, data }
  return { kind: 'refusal', message: `WhatsApp refused: ${wordsOf(error) || `it answered ${status}.`}`, data }
}

/** The token, what it may do, or the address: what has no code is no word of the Graph API's on what it was asked. */
function isOfAccess(status: number, code: number | null): boolean {
  if (status < 400 || status === 401) return true
  if (code === null) return status < 500 && !passingStatuses.has(status)
  return code === 0 || code === 3 || code === 10 || code === 190 || (code >= 200 && code <= 299)
}

function shutOut(status: number, code: number | null): string {
  const named = code === null ? `${status}` : `${status}, code ${code}`
  return `Meta does not let us in (${named}): check META_ACCESS_TOKEN, what it may do, and META_API_BASE.`
}

/** The request did not come in whole, was too much at a time, or the service is away. */
const passingStatuses = new Set([408, 429, 503])
/** Out of service for now (2), or too much at a time (the application, the account, the number, the pair of numbers). */
const busy = new Set([2, 4, 80007, 130429, 131016, 131048, 131056, 131057, 133016])

/** Meta's own words with its number, by which its pages explain it. */
function wordsOf(error: Json): string {
  const { message, code, error_data } = error
  const { details } = objectOf(error_data)
  const words = [message, details].filter((one) => typeof one === 'string' && one !== '').join(': ')
  if (words === '') return ''
  return `${words.slice(0, 500)}${typeof code === 'number' ? ` (Meta error ${code})` : ''}`
}
