import { useQuery } from '@tanstack/react-query'
import { useOne } from '../api/use-one.ts'
import { ContentPreview } from '../content/content-preview.tsx'
import { useMay, whoMay } from '../session/me.ts'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { audienceOf, type Broadcast, statsOf } from './broadcast.ts'
import { CancelBroadcast } from './cancel.tsx'
import { Results } from './results/results.tsx'
import { Way } from './way.tsx'
import { useFirstContact } from './writing/choices.tsx'
import { AudienceWords } from './writing/send-dialog.tsx'

const lookEveryMs = 1000

/** A broadcast that is no longer written: its way, its results and its content. */
export function Sent({ broadcast }: { broadcast: Broadcast }) {
  const { id, status, name } = broadcast
  const mayWrite = useMay('POST /v1/broadcasts/:id/cancel')
  const isMoving = status === 'queued' || status === 'sending'
  const stats = useQuery({ ...statsOf(id), refetchInterval: isMoving ? lookEveryMs : false })
  const isBefore = status === 'draft' || status === 'scheduled'
  return (
    <Page
      title={name}
      above={<Go to="/broadcasts">Broadcasts</Go>}
      actions={
        mayWrite && (
          <>
            {status !== 'sent' && status !== 'draft' && <CancelBroadcast broadcast={broadcast} />}
            <Go to="/broadcasts/new" search={{ copy: id }} className="button button-plain">
              Duplicate
            </Go>
          </>
        )
      }
    >
      {status === 'draft' && (
        <p className="muted">{whoMay('POST /v1/broadcasts/:id/cancel')} may change and send this draft.</p>
      )}
      <div className="broadcast">
        <div className="broadcast-main">
          {isBefore ? (
            <Audience broadcast={broadcast} />
          ) : (
            <Fetch query={stats}>{(counts) => <Results broadcast={broadcast} stats={counts} />}</Fetch>
          )}
          <Content broadcast={broadcast} />
        </div>
        <aside className="broadcast-aside" aria-label="Way of the broadcast">
          <Way broadcast={broadcast} stats={stats.data} />
          <BroadcastFacts broadcast={broadcast} />
        </aside>
      </div>
    </Page>
  )
}

function Audience({ broadcast }: { broadcast: Broadcast }) {
  const audience = useQuery({ ...audienceOf(broadcast.id), staleTime: 0 })
  return (
    <Section title="Audience now">
      <Fetch query={audience} lines={3}>
        {(counts) => <AudienceWords counts={counts} broadcast={broadcast} />}
      </Fetch>
    </Section>
  )
}

function BroadcastFacts({
  broadcast: { from, replyTo, segmentId, segmentName, topicId, mode },
}: {
  broadcast: Broadcast
}) {
  return (
    <Facts>
      <Fact name="From">{from}</Fact>
      {replyTo && <Fact name="Reply to">{replyTo}</Fact>}
      <Fact name="Segment">
        <Go to={`/segments/${segmentId}`}>{segmentName}</Go>
      </Fact>
      {topicId && (
        <Fact name="Topic">
          <Topic id={topicId} />
        </Fact>
      )}
      {mode === 'test' && <Fact name="Mode">Test: nothing left the installation</Fact>}
    </Facts>
  )
}

function Topic({ id }: { id: string }) {
  const { data } = useOne('/v1/topics/:id', { id })
  return (
    <>
      <Go to={`/topics/${id}`}>{data?.name ?? 'A topic'}</Go>
      <p className="small muted">Only those opted in</p>
    </>
  )
}

function Content({ broadcast: { subject, html, text, segmentId } }: { broadcast: Broadcast }) {
  const contact = useFirstContact(segmentId)
  return (
    <Section title="Content">
      {contact && <p className="muted">With the values of {contact.label}.</p>}
      <ContentPreview
        request={{ kind: 'broadcast', subject, html, text, ...(contact && { contactId: contact.value }) }}
      />
    </Section>
  )
}
