import type { SESv2Client } from '@aws-sdk/client-sesv2'
import { inTime, lastStep, noteLeaving } from '../../../platform/aws/call-once.ts'
import { wireAddress } from '../../../platform/text/mail-address.ts'
import type { OutboundMessage } from '../../provider.ts'

type HandOver = {
  message: OutboundMessage
  tags: Record<string, string>
  configurationSet: string | null
  totalMs: number
  /** Called before the first byte leaves. Until then nothing can have arrived. */
  onLeave(): void
}

/** Returns Amazon's id of the message. Throws the errors of the AWS library. */
export async function handOver(
  client: SESv2Client,
  { message, tags, configurationSet, totalMs, onLeave }: HandOver,
): Promise<string | null> {
  // Amazon takes 8-bit bodies, and header fields in ASCII only.
  const raw = (await message.encodedFor?.({ eightBitMime: true, smtpUtf8: false })) ?? message.raw
  const { SendEmailCommand } = await import('@aws-sdk/client-sesv2')
  const command = new SendEmailCommand({
    // No `FromEmailAddress`: it would replace the signed From field. The recipients replace no field.
    Destination: { ToAddresses: message.envelope.to.map(wireAddress) },
    FeedbackForwardingEmailAddress: wireAddress(message.envelope.from),
    Content: { Raw: { Data: raw } },
    EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
    ...(configurationSet !== null && { ConfigurationSetName: configurationSet }),
  })
  command.middlewareStack.add(noteLeaving(onLeave), lastStep)
  const abortSignal = AbortSignal.timeout(totalMs)
  const answer = await inTime(abortSignal, client.send(command, { abortSignal }))
  return answer.MessageId ?? null
}
