import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { idOf, type Json } from '../../../platform/http/body/read-foreign-json.ts'
import { cutText } from '../../../platform/text/cut.ts'
import type { SmsAnswer } from '../../provider.ts'
import { factOfStatus, optOutOf } from './statuses.ts'

type TwilioFailure = { kind: 'passing' | 'fault' | 'refusal'; message: string }

/** Converts Twilio's answer to a send. `now` becomes the time of the facts in it. */
export function judgeAnswer(result: JsonAnswer, messageId: string, now: Date): SmsAnswer {
  if (result.kind === 'failed')
    return result.hasLeft
      ? { kind: 'unknown', message: `The connection to Twilio was lost before its answer: ${result.reason}` }
      : { kind: 'unavailable', message: `Twilio could not be reached: ${result.reason}` }
  const { status, body } = result
  if (status < 300) return judgeTaken(body, messageId, now)
  const { kind, message } = twilioFailure(result)
  if (kind === 'refusal') return { kind: 'refused', message, data: dataOf(body), ...optOutOf(body.code) }
  return { kind: kind === 'fault' ? 'unknown' : 'unavailable', message }
}

function judgeTaken(body: Json, messageId: string, at: Date): SmsAnswer {
  const { status } = body
  const sid = idOf(body.sid)
  if (sid === null)
    return { kind: 'unknown', message: 'Twilio accepted the message, but its answer could not be read.' }
  if (status === 'failed' || status === 'undelivered' || status === 'canceled')
    return {
      kind: 'refused',
      message: `Twilio could not send the message. ${wordsOf(body)}`.trimEnd(),
      data: dataOf(body),
      ...optOutOf(body.error_code),
    }
  const fact = factOfStatus({ MessageSid: sid, MessageStatus: typeof status === 'string' ? status : '' }, messageId, at)
  return { kind: 'accepted', providerMessageId: sid, facts: fact ? [fact] : [] }
}

/**
 * Classifies an error of Twilio. `passing`: nothing was done and the request was not at fault; `fault`: the outcome is
 * not known; `refusal`: the request was refused permanently.
 */
export function twilioFailure({ status, body }: { status: number; body: Json }): TwilioFailure {
  const code = typeof body.code === 'number' ? body.code : 0
  if (status === 503 || status === 408)
    return { kind: 'passing', message: `Twilio accepts no requests at the moment (${status}).` }
  if (status >= 500) return { kind: 'fault', message: `Twilio reports an internal error (${status}).` }
  const isBusy = status === 429 || busy.has(code)
  // Twilio's message may quote the credentials. An answer without a code is not about the message.
  if (status < 400 || closed.has(status) || ofCredentials.has(code) || (code === 0 && !isBusy))
    return { kind: 'passing', message: shutOut(status) }
  return { kind: isBusy ? 'passing' : 'refusal', message: `Twilio refused: ${wordsOf(body) || `${status}.`}` }
}

function shutOut(status: number): string {
  return `Twilio denies access (${status}): check TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_API_BASE, and that the account is active.`
}

/** Statuses that concern the account or the address, not the message. */
const closed = new Set([401, 403, 404, 405, 407])
/** Codes of failed authentication, and of accounts that are suspended or closed. */
const ofCredentials = new Set([20003, 20005, 20006, 20008])
/** Codes of too many requests or messages at once. */
const busy = new Set([14107, 20429, 21611, 63038])

/** Returns Twilio's message with its error number, which its documentation explains. */
function wordsOf(body: Json): string {
  const code = body.code ?? body.error_code
  const text = body.message ?? body.error_message
  const words = typeof text === 'string' ? cutText(text, 500) : ''
  return typeof code === 'number' ? `${words} (Twilio error ${code}.)`.trimStart() : words
}

function dataOf(body: Json): Record<string, unknown> {
  const errorCode = body.code ?? body.error_code ?? null
  const text = body.message ?? body.error_message ?? null
  return {
    messageStatus: 'failed',
    messageStatusDescription: typeof text === 'string' ? cutText(text, 500) : null,
    errorCode: typeof errorCode === 'number' ? String(errorCode) : null,
  }
}
