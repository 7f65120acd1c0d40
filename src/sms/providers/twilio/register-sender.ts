import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { type Json, listOf, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { SmsRegistrationAnswer, SmsSenderRegistration } from '../../provider.ts'
import type { TwilioClient } from './client.ts'
import { twilioFailure } from './judge-answer.ts'

/**
 * Registers a sender. Numbers and short codes must belong to the account. Names only need an account that may use them;
 * if a country requires their registration, Twilio refuses the first message.
 */
export async function registerSender(
  client: TwilioClient,
  { senderId, senderType }: SmsSenderRegistration,
): Promise<SmsRegistrationAnswer> {
  if (senderType === 'alphanumeric_id') return judgeAccount(await client.get('', {}), senderId)
  if (senderType === 'short_code')
    return judgeNumbers(await client.get('/SMS/ShortCodes', { ShortCode: senderId }), 'short_code', senderId)
  const found = await client.get('/IncomingPhoneNumbers', { PhoneNumber: senderId })
  return judgeNumbers(found, 'phone_number', senderId)
}

function judgeAccount(result: JsonAnswer, senderId: string): SmsRegistrationAnswer {
  const failure = failureIn(result)
  if (failure) return failure
  const { status, type } = (result as Answered).body
  if (status !== 'active') return { kind: 'failed', reason: 'The Twilio account is not active.' }
  if (type === 'Trial')
    return { kind: 'failed', reason: 'A trial account of Twilio sends from numbers only. Use a number, or upgrade it.' }
  return { kind: 'active', providerRef: senderId }
}

/** Looks for the number in Twilio's list, whose rows contain it as `field`. */
function judgeNumbers(
  result: JsonAnswer,
  field: 'phone_number' | 'short_code',
  senderId: string,
): SmsRegistrationAnswer {
  const failure = failureIn(result)
  if (failure) return failure
  const { body } = result as Answered
  const rows = listOf(body[field === 'phone_number' ? 'incoming_phone_numbers' : 'short_codes']).map(objectOf)
  const row = rows.find((one) => one[field] === senderId)
  if (!row || typeof row.sid !== 'string')
    return { kind: 'failed', reason: `The Twilio account has no number ${senderId}. Buy or port it there first.` }
  if (field === 'phone_number' && !sendsText(row))
    return { kind: 'failed', reason: `${senderId} cannot send text messages: at Twilio it has no SMS capability.` }
  return { kind: 'active', providerRef: row.sid }
}

type Answered = Extract<JsonAnswer, { kind: 'answered' }>

function sendsText(row: Json): boolean {
  const { sms, SMS } = objectOf(row.capabilities)
  return (sms ?? SMS) === true
}

/**
 * The failure in an answer, or null. A registration can be repeated safely, so a failure that may pass is
 * `unavailable`.
 */
function failureIn(result: JsonAnswer): Exclude<SmsRegistrationAnswer, { kind: 'active' }> | null {
  if (result.kind === 'failed') return { kind: 'unavailable', message: `Twilio could not be reached: ${result.reason}` }
  if (result.status < 300) return null
  const { kind, message } = twilioFailure(result)
  return kind === 'refusal' ? { kind: 'failed', reason: message } : { kind: 'unavailable', message }
}
