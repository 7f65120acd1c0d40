import { smsBodyMax } from '../../../src/sms/messages/accept/segments.ts'
import { whatsappBodyMax } from '../../../src/whatsapp/templates/placeholders.ts'
import { allOf } from '../api/all.ts'
import { changed, client } from '../api/client.ts'
import type { Mode } from '../api/mode.ts'
import { randomKey } from '../api/once-key.ts'
import { post, type RowOf } from '../api/request.ts'
import { useOne } from '../api/use-one.ts'
import { useMay, whoMay } from '../session/me.ts'
import { useKeptForm } from '../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { TextArea } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { useMode } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Icon } from '../ui/icon.tsx'
import { Talk } from '../ui/text/talk.tsx'
import type { Channel } from './message.ts'

type Captured = RowOf<'/v1/inbox/threads/:channel/:phoneNumber'>

const shownMax = 100
const bodyMax: Record<Channel, number> = { sms: smsBodyMax, whatsapp: whatsappBodyMax }

/** Shows the messages with one phone, and a field to answer as that phone. */
export function Conversation({ channel, phoneNumber }: { channel: Channel; phoneNumber: string }) {
  const mode = useMode()
  const talk = useOne('/v1/inbox/threads/:channel/:phoneNumber', { channel, phoneNumber, limit: shownMax, mode })
  const mayReply = useMay('POST /providers/capture/sms')
  return (
    <section className="reading" aria-label={phoneNumber}>
      <Go to="." search={{ number: undefined }} keepSearch className="back-to-list">
        <Icon name="left" /> Conversations
      </Go>
      <h2>{phoneNumber}</h2>
      <Fetch query={talk}>
        {({ data, hasMore }) => (
          <>
            {hasMore && <p className="small muted">The newest {shownMax} messages are shown.</p>}
            <Talk talk={data.toReversed().map((message) => saidOf(message, phoneNumber))} />
            {mayReply ? (
              <WithKept page={`inbox/${mode ? 'test/' : ''}${channel}/${phoneNumber}`}>
                {(kept) => <Reply {...{ mode, channel, phoneNumber, kept }} sender={senderOf(data[0]!)} />}
              </WithKept>
            ) : (
              <p className="muted">{whoMay('POST /providers/capture/sms')} reply as this phone.</p>
            )}
          </>
        )}
      </Fetch>
    </section>
  )
}

/** The phone's messages stand where a reader's own are: the reader answers as this phone. */
function saidOf({ id, body, createdAt, direction, from }: Captured, phoneNumber: string) {
  const isOwn = direction === 'inbound'
  return { id, body, createdAt, isOwn, who: isOwn ? phoneNumber : from, note: isOwn ? null : <span>{from}</span> }
}

/** The sender that the phone talks with, from its newest message. */
function senderOf({ direction, from, to }: Captured): string {
  return direction === 'outbound' ? from : to
}

type ReplyProps = { mode: Mode; channel: Channel; phoneNumber: string; sender: string; kept: Kept }

function Reply({ mode, channel, phoneNumber, sender, kept }: ReplyProps) {
  const form = useKeptForm(
    kept,
    { body: '' },
    async ({ body }) => {
      if (channel === 'sms') await replyBySms(mode, { from: phoneNumber, to: sender, body })
      else await replyByWhatsapp(mode, phoneNumber, sender, body)
      form.clearSent('body', body)
      changed('inbox', channel)
    },
    channel === 'whatsapp' ? { body: 'events[0].text' } : {},
  )
  return (
    <Form form={form} verb="Send reply">
      <TextArea
        label="Reply as this phone"
        hint={`Simulates a message from ${phoneNumber} to ${sender}.`}
        rows={3}
        maxLength={bodyMax[channel]}
        {...form.field('body')}
      />
    </Form>
  )
}

function replyBySms(mode: Mode, sms: { from: string; to: string; body: string }): Promise<unknown> {
  return post('/providers/capture/sms', { mode, body: sms })
}

async function replyByWhatsapp(mode: Mode, from: string, to: string, text: string): Promise<void> {
  const senders = await client.fetchQuery({ ...allOf('/v1/whatsapp/senders'), staleTime: 0 })
  const sender = senders.find(({ phoneNumber }) => phoneNumber === to)
  if (!sender) throw new Error(`${to} is not a WhatsApp sender of this team any more.`)
  const { phoneNumberId } = sender
  if (phoneNumberId === null) throw new Error(`${to} has no phone number ID: edit it under WhatsApp senders.`)
  const providerMessageId = `reply-${randomKey()}`
  const event = { type: 'message', phoneNumberId, from, text, providerMessageId }
  const { ignored } = await post('/providers/capture/whatsapp', {
    mode,
    body: {
      events: [event],
    },
  })
  if (ignored > 0) throw new Error(`${to} takes no messages: it is not verified.`)
}
