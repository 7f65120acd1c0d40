import type { App } from '../../../context.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import { readFields } from '../../../platform/http/read-json.ts'
import { recordSmsFacts } from '../../messages/facts/record.ts'
import { recordInboundSms } from '../../opt-outs/record-inbound.ts'
import { findTeamsOfNumber } from '../../senders/queries.ts'
import { isSignedByTwilio } from './signature.ts'
import { factOfStatus } from './statuses.ts'

export type TwilioCall = { path: string; query: { message?: string }; body: unknown; signature: unknown }

/** An answer in Twilio's own language that asks for nothing: no reply is sent. */
export const nothingToDo = '<?xml version="1.0" encoding="UTF-8"?><Response/>'

/** What Twilio posts: what became of a message, or what somebody wrote to one of our numbers. */
export async function receiveTwilio(app: App, { path, query, body, signature }: TwilioCall): Promise<string> {
  const fields = readFields(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  refuseUnsigned(app, { url: app.publicUrl() + path, fields, signature })
  const field = (name: string) => storable(fields.get(name) ?? '')
  const [MessageSid, MessageStatus] = [field('MessageSid') || field('SmsSid'), field('MessageStatus')]
  if (MessageStatus !== '') {
    const told = { MessageSid, MessageStatus, ErrorCode: field('ErrorCode'), ErrorMessage: field('ErrorMessage') }
    const fact = factOfStatus(told, query.message ?? null, app.clock.now())
    if (fact && MessageSid !== '') await recordSmsFacts(app, 'twilio', [fact])
  } else if (fields.has('Body')) {
    const [from, to] = [field('From'), field('To')]
    const id = MessageSid === '' ? {} : { id: `twilio:${MessageSid}` }
    await recordInboundSms(app, await findTeamsOfNumber(app.db, to), { from, to, body: field('Body'), ...id })
  }
  return nothingToDo
}

type Signed = { url: string; fields: URLSearchParams; signature: unknown }

function refuseUnsigned({ config }: App, { url, fields, signature }: Signed): void {
  const token = config.twilioAuthToken
  if (token === null) throw unauthenticated('Nothing of Twilio is believed as long as TWILIO_AUTH_TOKEN is not set.')
  if (typeof signature !== 'string' || !isSignedByTwilio(token, signature, { url, fields }))
    throw unauthenticated(
      `X-Twilio-Signature: is not that of a request to ${url}. PUBLIC_URL must be what Twilio calls.`,
    )
}

/** Without what no database takes. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
