import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { type Json, listOf, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { WhatsappRegistrationAnswer } from '../../provider.ts'
import { type GraphClient, idSegment } from './client.ts'
import { graphFailure } from './failure.ts'

type Registration = { phoneNumberId: string; wabaId: string; phoneNumber: string }

/**
 * The most pages of an account's numbers that are read, with a hundred numbers each. Meta's default is twenty numbers.
 */
const pagesMax = 5
const fields = 'id,display_phone_number,code_verification_status,name_status,status'

/**
 * Registers a sender. The account must have a number with the sender's id and phone number, so that an id alone does
 * not give access to it. A connected number is active at once. Others are registered, if the operator has set a PIN.
 */
export async function registerSender(
  client: GraphClient,
  sender: Registration,
  pin: string | null,
): Promise<WhatsappRegistrationAnswer> {
  const found = await findNumber(client, sender)
  if (found.kind !== 'found') return found
  const { status, name_status: nameStatus } = found.number
  if (status === 'BANNED') return { kind: 'rejected', reason: 'WhatsApp has banned the number.' }
  if (nameStatus === 'DECLINED')
    return { kind: 'rejected', reason: 'WhatsApp declined the display name of the number.' }
  if (connected.has(status)) return { kind: 'active' }
  if (pin === null)
    return failed(
      `WhatsApp has not connected the number (${statusText(status)}). Register it in the WhatsApp Manager, then verify again.`,
    )
  return judgeRegistration(
    await client.post(`/${idSegment(sender.phoneNumberId)}/register`, { messaging_product: 'whatsapp', pin }),
  )
}

/** Statuses of numbers that can send. */
const connected = new Set<unknown>(['CONNECTED', 'FLAGGED', 'RATE_LIMITED'])

type Found = { kind: 'found'; number: Json } | WhatsappRegistrationAnswer

async function findNumber(client: GraphClient, { phoneNumberId, wabaId, phoneNumber }: Registration): Promise<Found> {
  let after: string | null = ''
  for (let page = 0; page < pagesMax && after !== null; page++) {
    const query: Record<string, string> = { fields, limit: '100', ...(after && { after }) }
    const result: JsonAnswer = await client.get(`/${idSegment(wabaId)}/phone_numbers`, query)
    const failure = failureIn(result)
    if (failure) return failure
    const { data, paging } = (result as Answered).body
    const number = listOf(data)
      .map(objectOf)
      .find(({ id }) => id === phoneNumberId)
    if (number)
      return digitsOf(number.display_phone_number) === digitsOf(phoneNumber) ? { kind: 'found', number } : other
    const { next, cursors } = objectOf(paging)
    const cursor = objectOf(cursors).after
    after = typeof next === 'string' && typeof cursor === 'string' ? cursor : null
  }
  return failed(
    'The WhatsApp Business account has no number with this phoneNumberId. Check both ids in the WhatsApp Manager.',
  )
}

const other = failed(
  'The phoneNumberId belongs to another number than phoneNumber. Check both in the WhatsApp Manager.',
)

type Answered = Extract<JsonAnswer, { kind: 'answered' }>

function judgeRegistration(result: JsonAnswer): WhatsappRegistrationAnswer {
  const failure = failureIn(result)
  if (failure) return failure
  return (result as Answered).body.success === true
    ? { kind: 'active' }
    : failed('WhatsApp did not register the number.')
}

/**
 * The failure in an answer, or null. A registration can be repeated safely, so a failure that may pass is
 * `unavailable`.
 */
function failureIn(result: JsonAnswer): WhatsappRegistrationAnswer | null {
  if (result.kind === 'failed') return { kind: 'unavailable', message: `Meta could not be reached: ${result.reason}` }
  if (result.status >= 200 && result.status < 300) return null
  const { kind, message } = graphFailure(result)
  return kind === 'refusal' ? failed(message) : { kind: 'unavailable', message }
}

function digitsOf(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/\D/g, '') : ''
}

function statusText(status: unknown): string {
  return typeof status === 'string' ? status.toLowerCase().slice(0, 50) : 'status unknown'
}

function failed(reason: string): WhatsappRegistrationAnswer {
  return { kind: 'failed', reason }
}
