import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { idOf, type Json, listOf, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import { numberForms } from '../../../platform/text/phone-number.ts'
import { normalizeNumber } from '../../phone-number.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { isMarketingStop } from './consent.ts'
import { graphFailure } from './failure.ts'

/** Converts Meta's answer to a message to this number, in E.164. */
export function judgeAnswer(result: JsonAnswer, to: string): WhatsappAnswer {
  if (result.kind === 'failed')
    return result.hasLeft
      ? { kind: 'unknown', message: `The connection to Meta was lost before its answer: ${result.reason}` }
      : { kind: 'unavailable', message: `Meta could not be reached: ${result.reason}` }
  if (result.status >= 200 && result.status < 300) {
    const message = objectOf(listOf(result.body.messages)[0])
    const providerMessageId = idOf(message.id)
    if (providerMessageId === null)
      return { kind: 'unknown', message: 'Meta accepted the message, but its answer could not be read.' }
    const { message_status: messageStatus } = message
    const data = typeof messageStatus === 'string' ? { messageStatus } : null
    const known = customerNumberOf(result.body, to)
    return { kind: 'accepted', providerMessageId, data, ...(known && { customerNumber: known }) }
  }
  const { kind, message, data } = graphFailure(result)
  if (kind === 'refusal')
    return { kind: 'refused', message, data, ...(isMarketingStop(result.body.error) && { isMarketingStop: true }) }
  return { kind: kind === 'fault' ? 'unknown' : 'unavailable', message }
}

/** Returns the number under which Meta knows the customer (`wa_id`), or null if it is one of the forms of `to`. */
function customerNumberOf(body: Json, to: string): string | null {
  const { wa_id: id } = objectOf(listOf(body.contacts)[0])
  const number = typeof id === 'string' ? normalizeNumber(id) : null
  return number && !numberForms(to).includes(number) ? number : null
}
