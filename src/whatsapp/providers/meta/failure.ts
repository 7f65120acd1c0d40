import { type Json, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import { cutText } from '../../../platform/text/cut.ts'

/**
 * An error of the Graph API. `passing`: nothing was done and the request was not at fault; `fault`: the outcome is not
 * known; `refusal`: the request was refused permanently.
 */
type GraphFailure = { kind: 'passing' | 'fault' | 'refusal'; message: string; data: Record<string, unknown> }

/** Classifies an error by Meta's codes, as Meta recommends, because HTTP statuses vary. */
export function graphFailure({ status, body }: { status: number; body: Json }): GraphFailure {
  const error = objectOf(body.error)
  const code = typeof error.code === 'number' ? error.code : null
  const data = { code, message: wordsOf(error) }
  // Meta's message may quote the token.
  if (isOfAccess(status, code)) return { kind: 'passing', message: shutOut(status, code), data: { code } }
  if (passingStatuses.has(status) || busy.has(code ?? -1))
    return {
      kind: 'passing',
      message: `WhatsApp accepts no more requests at the moment: ${wordsOf(error) || status}.`,
      data,
    }
  if (status >= 500 || code === 1)
    return { kind: 'fault', message: `WhatsApp reports an internal error (${wordsOf(error) || status}).`, data }
  return { kind: 'refusal', message: `WhatsApp refused: ${wordsOf(error) || `it answered ${status}.`}`, data }
}

/**
 * True for a fault of the token, its rights or the address. An answer without a code says nothing about the request.
 */
function isOfAccess(status: number, code: number | null): boolean {
  if (status < 400 || status === 401) return true
  if (code === null) return status < 500 && !passingStatuses.has(status)
  return code === 0 || code === 3 || code === 10 || code === 190 || (code >= 200 && code <= 299)
}

function shutOut(status: number, code: number | null): string {
  const named = code === null ? `${status}` : `${status}, code ${code}`
  return `Meta denies access (${named}): check META_ACCESS_TOKEN, its permissions, and META_API_BASE.`
}

/** Statuses of an incomplete request, too many requests, and a service that is down. */
const passingStatuses = new Set([408, 429, 503])
/**
 * Codes of a service that is down (2), and of too many requests of an application, account, number or pair of numbers.
 */
const busy = new Set([2, 4, 80007, 130429, 131016, 131048, 131056, 131057, 133016])

/** Returns Meta's message with its error code, which its documentation explains. */
function wordsOf(error: Json): string {
  const { message, code, error_data } = error
  const { details } = objectOf(error_data)
  const words = [message, details].filter((one) => typeof one === 'string' && one !== '').join(': ')
  if (words === '') return ''
  return `${cutText(words, 500)}${typeof code === 'number' ? ` (Meta error ${code})` : ''}`
}
