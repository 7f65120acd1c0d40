import type { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import { inTime, lastStep, noteLeaving } from '../../../platform/aws/call-once.ts'
import type { OutboundSms } from '../../provider.ts'

type HandOver = {
  message: OutboundSms
  configurationSet: string | null
  totalMs: number
  /** Called before the first byte is sent. Until then nothing can have arrived. */
  onLeave(): void
}

/** The name of the context field in which every event of a message returns our id. */
export const contextName = 'posthorn'

/** Sends a message. Returns Amazon's id of it, or null if the answer has none. Throws the errors of the AWS library. */
export async function handOver(
  client: PinpointSMSVoiceV2Client,
  { message, configurationSet, totalMs, onLeave }: HandOver,
): Promise<string | null> {
  const { SendTextMessageCommand } = await import('@aws-sdk/client-pinpoint-sms-voice-v2')
  const command = new SendTextMessageCommand({
    DestinationPhoneNumber: message.to,
    OriginationIdentity: identityOf(message),
    MessageBody: message.body,
    MessageType: message.messageType === 'transactional' ? 'TRANSACTIONAL' : 'PROMOTIONAL',
    Context: { [contextName]: message.messageId },
    ...(configurationSet !== null && { ConfigurationSetName: configurationSet }),
  })
  command.middlewareStack.add(noteLeaving(onLeave), lastStep)
  const abortSignal = AbortSignal.timeout(totalMs)
  const answer = await inTime(abortSignal, client.send(command, { abortSignal }))
  return answer.MessageId ?? null
}

/** A name has one resource for each country, of which Amazon chooses; a number has a single resource. */
function identityOf({ senderType, from, providerRef }: OutboundSms): string {
  return senderType === 'alphanumeric_id' ? from : (providerRef ?? from)
}
