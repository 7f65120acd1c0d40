import { useQuery } from '@tanstack/react-query'
import { whatsappBodyMax } from '../../../../src/whatsapp/templates/placeholders.ts'
import { useAll } from '../../api/all.ts'
import { changed } from '../../api/client.ts'
import type { Prefetch } from '../../api/list.ts'
import { post } from '../../api/request.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { useKeptForm } from '../../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../../typing/with-kept.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../../ui/frame/states.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts } from '../../ui/text/facts.tsx'
import { Talk } from '../../ui/text/talk.tsx'
import { Time } from '../../ui/text/time.tsx'
import { type Conversation, conversationOf } from '../message.ts'
import { SendTemplate } from '../send-template.tsx'
import { useWindowLeft, WindowLeft } from './window.tsx'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(conversationOf(params.id!))

export default function ShowConversation() {
  const query = useQuery(conversationOf(usePathPart('id')))
  return (
    <Page
      title={query.data?.phoneNumber ?? titleWithout(query.error, 'Conversation')}
      isMono={query.data !== undefined}
      above={<Go to="/whatsapp">WhatsApp</Go>}
    >
      <Fetch query={query}>
        {(conversation) => (
          <div className="beside">
            <aside className="beside-aside">
              <About conversation={conversation} />
            </aside>
            <div className="beside-main">
              <Talk talk={conversation.messages.map((message) => saidOf(message, conversation))} />
              <WithKept page={`whatsapp/conversations/${conversation.id}`}>
                {(kept) => <Answer conversation={conversation} kept={kept} />}
              </WithKept>
            </div>
          </div>
        )}
      </Fetch>
    </Page>
  )
}

function About({ conversation }: { conversation: Conversation }) {
  const { contactName, windowExpiresAt, senderId } = conversation
  const sender = useAll('/v1/whatsapp/senders')?.find(({ id }) => id === senderId)
  return (
    <Facts>
      <Fact name="Window">
        <WindowLeft {...conversation} />
      </Fact>
      {windowExpiresAt && (
        <Fact name={conversation.windowOpen ? 'Closes' : 'Closed'}>
          <Time at={windowExpiresAt} isExact />
        </Fact>
      )}
      {contactName && <Fact name="Name">{contactName}</Fact>}
      {sender && (
        <Fact name="Sender">
          <Go to={`/whatsapp/senders/${sender.id}`}>{sender.name}</Go>
        </Fact>
      )}
      <Fact name="Begun">
        <Time at={conversation.createdAt} isExact />
      </Fact>
    </Facts>
  )
}

function saidOf(message: Conversation['messages'][number], { contactName, phoneNumber }: Conversation) {
  const { id, body, createdAt, direction, status, templateName } = message
  const isOwn = direction === 'outbound'
  return {
    id,
    body,
    createdAt,
    isOwn,
    who: isOwn ? 'You' : (contactName ?? phoneNumber),
    note: (
      <>
        {templateName && <span>{templateName}</span>}
        {isOwn && <Status of={status} />}
        <Go to={`/whatsapp/messages/${id}`}>Details</Go>
      </>
    ),
  }
}

/** The field to answer in. It is off when the window is closed: only templates reach the customer then. */
function Answer({ conversation, kept }: { conversation: Conversation; kept: Kept }) {
  const isOpen = useWindowLeft(conversation) > 0
  const maySend = useMay('POST /v1/whatsapp/messages')
  const { senderId, phoneNumber: to } = conversation
  const form = useKeptForm(kept, { body: '' }, async ({ body }, headersFor) => {
    // `/reply` sends the same message, but takes no Idempotency-Key.
    const message = { senderId, to, body }
    await post('/v1/whatsapp/messages', { body: message }, { headers: headersFor(JSON.stringify(message)) })
    changed('whatsapp/conversations', 'whatsapp/messages')
    form.clearSent('body', body)
  })
  if (!maySend) return <p className="muted">{whoMay('POST /v1/whatsapp/messages')} reply.</p>
  return (
    <div className="form">
      <Form form={form} verb={isOpen ? 'Send reply' : undefined}>
        <TextArea
          label="Reply"
          rows={3}
          maxLength={whatsappBodyMax}
          disabled={!isOpen}
          hint={isOpen ? undefined : closedHint}
          {...form.field('body')}
        />
      </Form>
      {!isOpen && (
        <div className="dialog-actions">
          <SendTemplate kind="main" senderId={senderId} to={to} />
        </div>
      )}
    </div>
  )
}

const closedHint =
  'The window is closed: 24 hours have passed since the customer’s last message. A template still reaches them.'
