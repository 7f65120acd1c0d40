import { useQuery } from '@tanstack/react-query'
import { removeShown } from '../api/client.ts'
import { isNotFound } from '../api/refusal.ts'
import { useOne } from '../api/use-one.ts'
import { Content } from '../emails/content.tsx'
import { emailOf } from '../emails/email.ts'
import { Timeline } from '../emails/timeline.tsx'
import { useMay } from '../session/me.ts'
import { Button } from '../ui/button/button.tsx'
import { saveFile } from '../ui/button/save-file.ts'
import { DeleteButton } from '../ui/dialog/delete-button.tsx'
import { sayFault } from '../ui/dialog/toast.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch, type Fetched } from '../ui/frame/states.tsx'
import { useAddress, useMode } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Icon } from '../ui/icon.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { LongText } from '../ui/text/long-text.tsx'
import { Time } from '../ui/text/time.tsx'
import { subjectOf } from '../ui/text/words.ts'
import { type InboxMessage, rawOf } from './message.ts'

/** The reading pane: a captured email with its content and its timeline. */
export function Reading({ id }: { id: string }) {
  const query = useOne('/v1/inbox/:id', { id, mode: useMode() })
  return (
    <article className="reading" aria-label="Message">
      <Go to="." search={{ message: undefined }} keepSearch className="back-to-list">
        <Icon name="left" /> Messages
      </Go>
      <Fetch query={query}>{(message) => <Message message={message} query={query} />}</Fetch>
    </article>
  )
}

function Message({ message, query }: { message: InboxMessage; query: Fetched<InboxMessage> }) {
  const { id } = message
  const mode = useMode()
  const mayDelete = useMay('DELETE /v1/inbox/:id')
  // Retention may remove an email before its captured copy.
  const isEmailGone = isNotFound(useQuery(emailOf(message.emailId, mode)).error)
  const raw = useQuery({ ...rawOf(id, mode), enabled: false })
  async function download() {
    const { data, error } = await raw.refetch()
    if (data === undefined) sayFault(error)
    else saveFile(data, `${id}.eml`)
  }
  return (
    <>
      <header className="reading-head">
        <h2>{subjectOf(message)}</h2>
        <div className="actions">
          <Button icon="download" aria-label="Download raw message" onClick={() => void download()}>
            Raw message
          </Button>
          {mayDelete && <Delete id={id} />}
        </div>
      </header>
      <Facts>
        <Fact name="From">{message.from}</Fact>
        <Fact name="To">{message.to.join(', ')}</Fact>
        {message.cc && message.cc.length > 0 && <Fact name="Cc">{message.cc.join(', ')}</Fact>}
        <Fact name="Captured">
          <Time at={message.createdAt} isExact />
        </Fact>
        <Fact name="Email">
          {isEmailGone ? (
            'No longer kept'
          ) : (
            <Go to={`/emails/${message.emailId}`} search={{ mode }}>
              Open in Emails
            </Go>
          )}
        </Fact>
      </Facts>
      <Content
        {...{ noun: 'inbox', id }}
        html={message.html}
        text={message.text}
        parts={query}
        source={() => <Source id={id} />}
      />
      {!isEmailGone && (
        <Section title="Timeline" level={3}>
          <Timeline emailId={message.emailId} />
        </Section>
      )}
    </>
  )
}

function Source({ id }: { id: string }) {
  return (
    <Fetch query={useQuery(rawOf(id, useMode()))}>
      {(raw) => <LongText text={raw} isCode filename={`${id}.eml`} />}
    </Fetch>
  )
}

function Delete({ id }: { id: string }) {
  const mode = useMode()
  const [, change] = useAddress()
  return (
    <DeleteButton
      name="message"
      remove={async () => {
        await removeShown('/v1/inbox/:id', id, mode)
        change({ message: undefined })
      }}
      changes={['inbox']}
      said="The message is deleted"
    >
      <p>The captured message is deleted. The email stays in the list of emails.</p>
    </DeleteButton>
  )
}
