import type { App } from '../../../context.ts'
import { settingsOf } from '../../../platform/environment/settings.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import { idOf } from '../../../platform/http/body/read-foreign-json.ts'
import { readFields } from '../../../platform/http/body/read-json.ts'
import { recordSmsReports } from '../../messages/facts/reports.ts'
import type { KeywordAction } from '../../opt-outs/keywords.ts'
import { receiveSms } from '../../opt-outs/record-inbound.ts'
import { twilioSettings } from './settings.ts'
import { isSignedByTwilio } from './signature.ts'
import { factOfStatus } from './statuses.ts'

type TwilioCall = { path: string; query: { message?: string }; body: unknown; signature: unknown }

/** An empty answer in TwiML, so that Twilio sends no reply. */
const nothingToDo = '<?xml version="1.0" encoding="UTF-8"?><Response/>'

/** Receives callbacks from Twilio: the status of a message, or a message to one of our numbers. */
export async function receiveTwilio(app: App, { path, query, body, signature }: TwilioCall): Promise<string> {
  const fields = readFields(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  refuseUnsigned(app, { url: app.publicUrl() + path, fields, signature })
  const field = (name: string) => storable(fields.get(name) ?? '')
  const [sid, MessageStatus] = [idOf(field('MessageSid') || field('SmsSid')), field('MessageStatus')]
  if (MessageStatus !== '') {
    const told = {
      MessageSid: sid ?? '',
      MessageStatus,
      ErrorCode: field('ErrorCode'),
      ErrorMessage: field('ErrorMessage'),
      Price: field('Price'),
      PriceUnit: field('PriceUnit'),
    }
    const fact = factOfStatus(told, query.message ?? null, app.clock.now())
    if (fact && sid !== null) await recordSmsReports(app, 'twilio', [fact])
  } else if (fields.has('Body')) {
    const [from, to] = [field('From'), field('To')]
    const id = sid === null ? {} : { id: `twilio:${sid}` }
    const action = actionOfType(field('OptOutType'))
    await receiveSms(app, { from, to, body: field('Body'), ...id, ...(action && { action }) })
  }
  return nothingToDo
}

/** Reads what Twilio made of a message with a keyword of its own or of the account's. `HELP` is neither. */
function actionOfType(optOutType: string): KeywordAction | null {
  const type = optOutType.trim().toUpperCase()
  if (type === 'STOP') return 'opted_out'
  return type === 'START' ? 'opted_in' : null
}

type Signed = { url: string; fields: URLSearchParams; signature: unknown }

function refuseUnsigned({ config }: App, { url, fields, signature }: Signed): void {
  const { authToken: token } = settingsOf(config, twilioSettings)
  if (token === null) throw unauthenticated('Requests of Twilio are refused until TWILIO_AUTH_TOKEN is set.')
  if (typeof signature !== 'string' || !isSignedByTwilio(token, signature, { url, fields }))
    throw unauthenticated(
      `X-Twilio-Signature: does not match a request to ${url}. PUBLIC_URL must be the address that Twilio calls.`,
    )
}

/** Replaces characters that PostgreSQL does not store. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
