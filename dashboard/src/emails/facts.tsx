import type { ReactNode } from 'react'
import type { Fetched } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import type { Email, EmailMessage } from './email.ts'

/** The sender, the recipients and how the email came to be. */
export function EmailFacts({ email, query }: { email: Email; query: Fetched<EmailMessage> }) {
  const message = query.data
  const tags = Object.entries(message?.tags ?? {})
  return (
    <Facts>
      <Fact name="From">{email.from}</Fact>
      <Addresses name="To" of={email.to} />
      <Addresses name="Cc" of={email.cc} />
      <Addresses name="Bcc" of={email.bcc} />
      {message?.replyTo && <Fact name="Reply to">{message.replyTo}</Fact>}
      <Fact name="Accepted">
        <Time at={email.createdAt} isExact />
      </Fact>
      {email.scheduledAt && (
        <Fact name="Scheduled for">
          <Time at={email.scheduledAt} isExact />
        </Fact>
      )}
      {message && <Fact name="Sent by">{viaOf(message, email)}</Fact>}
      {!message && Boolean(query.error) && (
        <Fact name="Sent by">
          <span className="muted">Could not be loaded</span>
        </Fact>
      )}
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map(([name, value]) => (
            <span key={name} className="badge email-tag">
              {name}: {String(value)}
            </span>
          ))}
        </Fact>
      )}
      <IdFact id={email.id} />
    </Facts>
  )
}

const ways: Record<string, string> = { api: 'API', smtp: 'SMTP', system: 'Posthorn itself' }

/** The page of a broadcast knows those of live mode only. */
function viaOf({ via, broadcastId }: EmailMessage, { mode }: Email): ReactNode {
  if (broadcastId && mode === 'live') return <Go to={`/broadcasts/${broadcastId}`}>A broadcast</Go>
  return ways[via] ?? `A ${via}`
}

function Addresses({ name, of }: { name: string; of: string[] | null }) {
  return of && of.length > 0 ? <Fact name={name}>{of.join(', ')}</Fact> : null
}
