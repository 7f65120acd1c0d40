import { type EmailItem, subjectOf } from '../emails/email.ts'
import { Go } from '../ui/go.tsx'
import { Section } from '../ui/section.tsx'
import { Status } from '../ui/status.tsx'
import { Time } from '../ui/time.tsx'
import { mailbox } from '../ui/words.ts'

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
