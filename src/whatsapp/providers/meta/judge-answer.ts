import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { listOf, objectOf } from '../../../platform/http/read-foreign-json.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { graphFailure } from './failure.ts'

/** Converts Meta's answer to a send. */
export function judgeAnswer(result: JsonAnswer): WhatsappAnswer {
  if (result.kind === 'failed')
    return result.hasLeft
      ? { kind: 'unknown', message: `The connection to Meta was lost before its answer: ${result.reason}` }
      : { kind: 'unavailable', message: `Meta could not be reached: ${result.reason}` }
  if (result.status >= 200 && result.status < 300) {
    const message = objectOf(listOf(result.body.messages)[0])
    if (typeof message.id !== 'string' || message.id === '')
      return { kind: 'unknown', message: 'Meta accepted the message, but its answer could not be read.' }
    const { message_status: messageStatus } = message
    const data = typeof messageStatus === 'string' ? { messageStatus } : null
    return { kind: 'accepted', providerMessageId: message.id, data }
  }
  const { kind, message, data } = graphFailure(result)
  if (kind === 'refusal') return { kind: 'refused', message, data }
  return { kind: kind === 'fault' ? 'unknown' : 'unavailable', message }
}
