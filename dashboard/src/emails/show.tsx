import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { modeOf } from '../api/mode.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { Beside } from '../ui/frame/beside.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { TestDataNotice } from '../ui/frame/test-data.tsx'
import { useMode, usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { subjectOf } from '../ui/text/words.ts'
import { CancelEmail, Reschedule } from './change.tsx'
import { Content } from './content.tsx'
import { emailOf, eventsOf, messageOf } from './email.ts'
import { EmailFacts } from './facts.tsx'
import { Timeline } from './timeline.tsx'

export const prefetch: Prefetch = (client, { params, search }) => {
  const mode = modeOf(search)
  void client.prefetchQuery(emailOf(params.id!, mode))
  void client.prefetchQuery(messageOf(params.id!, mode))
  void client.prefetchQuery(eventsOf(params.id!, mode))
}

export default function ShowEmail() {
  const id = usePathPart('id')
  const mode = useMode()
  const query = useQuery(emailOf(id, mode))
  const mayReschedule = useMay('PATCH /v1/emails/:id')
  const mayCancel = useMay('POST /v1/emails/:id/cancel')
  const message = useQuery(messageOf(id, mode))
  const email = query.data
  return (
    <Page
      title={email ? subjectOf(email) : titleWithout(query.error, 'Email')}
      above={
        <Go to="/emails" search={{ mode }}>
          Emails
        </Go>
      }
      actions={
        email?.status === 'scheduled' && (
          <>
            {mayReschedule && <Reschedule email={email} />}
            {mayCancel && <CancelEmail email={email} />}
          </>
        )
      }
    >
      <TestDataNotice to="/emails" />
      <Fetch query={query}>
        {(email) => (
          <Beside
            name="Timeline"
            way={<Timeline emailId={id} />}
            status={
              <>
                <Status of={email.status} />
                {email.mode === 'test' && <span className="badge">test</span>}
              </>
            }
          >
            <EmailFacts email={email} query={message} />
            <Content {...{ noun: 'emails', id }} html={email.html} text={email.text} parts={message} />
          </Beside>
        )}
      </Fetch>
    </Page>
  )
}
