import { type EmailItem, subjectOf } from '../emails/email.ts'
import { Status } from '../status/status.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Go } from '../ui/go/go.tsx'
import { Time } from '../ui/text/time.tsx'
import { mailbox } from '../ui/text/words.ts'

/** The newest emails. */
export function Latest({ emails }: { emails: EmailItem[] }) {
  return (
    <Section title="Latest emails">
      <ul className="latest">
        {emails.map((email) => (
          <li key={email.id}>
            <Go to={`/emails/${email.id}`} className="latest-subject">
              {subjectOf(email)}
            </Go>
            <span className="latest-to mono muted">{mailbox(email.to[0] ?? '').address}</span>
            <Status of={email.status} />
            <span className="muted">
              <Time at={email.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Go to="/emails">All emails</Go>
      </p>
    </Section>
  )
}
