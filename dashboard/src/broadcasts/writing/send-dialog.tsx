import { useQuery } from '@tanstack/react-query'
import { changed, client } from '../../api/client.ts'
import { namesOf } from '../../api/objects.ts'
import { post } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Fetch } from '../../ui/frame/states.tsx'
import { Time } from '../../ui/text/time.tsx'
import { countOf, number } from '../../ui/text/words.ts'
import { audienceOf, type Broadcast, type BroadcastAudience, broadcastOf, reasons } from '../broadcast.ts'

/** Says who gets the broadcast and who is left out, and sends it. */
export function SendDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const { id, name, scheduledAt } = broadcast
  const audience = useQuery({ ...audienceOf(id), staleTime: 0 })
  const isLater = scheduledAt !== null && new Date(scheduledAt) > new Date()
  return (
    <ConfirmDialog
      title={`Send ${name}?`}
      verb={isLater ? 'Schedule' : 'Send now'}
      kind="main"
      onClose={onClose}
      onConfirm={async () => {
        const sent = await post('/v1/broadcasts/:id/send', { id })
        client.setQueryData(broadcastOf(id).queryKey, sent)
        changed('broadcasts')
        say(isLater ? `${name} is scheduled` : `${name} is on its way`)
      }}
    >
      <Fetch query={audience} lines={3}>
        {(counts) => <AudienceWords counts={counts} broadcast={broadcast} />}
      </Fetch>
      {isLater && (
        <p>
          It leaves on <Time at={scheduledAt} isExact />, to those who are in the segment then.
        </p>
      )}
    </ConfirmDialog>
  )
}

type WordsProps = { counts: BroadcastAudience; broadcast: Pick<Broadcast, 'segmentName'> }

/** Shows how many people get it, and how many are left out for which reason. */
export function AudienceWords({ counts: { total, recipients, skipped }, broadcast }: WordsProps) {
  const left = namesOf(skipped).filter((reason) => skipped[reason] > 0)
  return (
    <div className="audience">
      <p className="audience-count">{countOf(recipients, 'person', 'people')}</p>
      <p className="muted">
        {recipients === total ? 'Everybody' : `${number(recipients)} of ${countOf(total, 'contact')}`} in{' '}
        {broadcast.segmentName}
      </p>
      {left.length > 0 && (
        <>
          <p>{countOf(total - recipients, 'contact')} left out:</p>
          <ul className="audience-left">
            {left.map((reason) => (
              <li key={reason}>
                <span className="audience-number">{number(skipped[reason])}</span> {reasons[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
      {recipients === 0 && <p className="warning">Nobody would get it.</p>}
    </div>
  )
}
