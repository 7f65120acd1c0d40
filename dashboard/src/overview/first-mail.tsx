import { hrefOf } from '../api/request.ts'
import type { EmailItem } from '../emails/email.ts'
import { Timeline } from '../emails/timeline.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Go } from '../ui/go/go.tsx'
import { HtmlPreview } from '../ui/preview/html-preview.tsx'
import { Time } from '../ui/text/time.tsx'
import { subjectOf } from '../ui/text/words.ts'

/** The first email, as it arrives. */
export function FirstMail({ email }: { email: EmailItem }) {
  const { id, to, createdAt } = email
  return (
    <Section title="Your first email">
      <div className="overview">
        <div className="overview-main">
          <div>
            <p className="empty-title">
              <Go to={`/emails/${id}`}>{subjectOf(email)}</Go>
            </p>
            <p className="muted">
              To <span className="mono">{to.join(', ')}</span>, <Time at={createdAt} />
            </p>
          </div>
          <div className="overview-preview">
            <HtmlPreview src={hrefOf('/v1/emails/:id/preview', { id })} />
          </div>
        </div>
        <div className="overview-aside">
          <Timeline emailId={id} />
        </div>
      </div>
    </Section>
  )
}
