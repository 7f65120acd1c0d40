import type { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import { inTime, lastStep, noteLeaving } from '../../../platform/aws/call-once.ts'
import type { OutboundSms } from '../../provider.ts'

export type HandOver = {
  message: OutboundSms
  configurationSet: string | null
  totalMs: number
  /** Called before the first byte leaves. Until then nothing can have arrived. */
  onLeave(): void
}

/** The name under which every event of a message returns our id. */
export const contextName = 'posthorn'

/** Returns Amazon's id of the message, or null if the answer has none. Throws the errors of the AWS library. */
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

/** A name is another resource in each country, and Amazon finds the one that fits; a number is one. */
function identityOf({ senderType, from, providerRef }: OutboundSms): string {
  return senderType === 'alphanumeric_id' ? from : (providerRef ?? from)
}
