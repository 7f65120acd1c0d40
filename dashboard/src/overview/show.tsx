import { useRef } from 'react'
import { type List, type Prefetch, prefetchList, useList } from '../api/list.ts'
import type { EmailItem } from '../emails/email.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ButtonLink } from '../ui/button/button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Failed, Loading } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { Time } from '../ui/text/time.tsx'
import { mailbox, subjectOf } from '../ui/text/words.ts'
import { Attention } from './attention.tsx'
import { FirstMail } from './first-mail.tsx'
import { FirstUse } from './first-use.tsx'
import { Limits } from './limits.tsx'
import { Today } from './today.tsx'

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/emails')

/**
 * Shows how to send a first email until there is one, then that email beside those that follow. Later it shows how
 * things are.
 */
export default function Overview() {
  const list = useList('/v1/emails')
  const { rows, total, error, retry } = list
  const mayCompose = useMay('POST /v1/emails')
  const first = useFirst(list)
  const compose = mayCompose && (
    <ButtonLink to="/emails/new" kind="main">
      Compose
    </ButtonLink>
  )
  return (
    <Page title="Overview" actions={compose}>
      {rows === undefined && (error ? <Failed error={error} onRetry={retry} /> : <Loading />)}
      {rows?.length === 0 && <FirstUse mayCompose={mayCompose} />}
      {first && <FirstMail email={first} />}
      {rows && rows.length > 0 && (
        <div className="overview">
          <div className="overview-main">
            <Today />
            {(!first || total !== 1) && <Latest emails={rows.slice(0, 5)} />}
          </div>
          <div className="overview-aside">
            <Attention />
            <Limits />
          </div>
        </div>
      )}
    </Page>
  )
}

/** The first email, if it arrived while the page was open or is the only one. */
function useFirst({ rows, total, hasMore }: List<EmailItem>): EmailItem | undefined {
  const sawNone = useRef(false)
  const id = useRef<string>(undefined)
  if (total === 0) {
    sawNone.current = true
    id.current = undefined
  }
  // The list has the newest first. If several emails arrived together, its last row is the first email.
  if (rows && (total === 1 || (sawNone.current && !hasMore))) id.current ??= rows.at(-1)?.id
  return rows?.find((email) => email.id === id.current)
}

function Latest({ emails }: { emails: EmailItem[] }) {
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
