import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { Status } from '../status/status.tsx'
import { Beside } from '../ui/frame/beside.tsx'
import { Page } from '../ui/frame/page.tsx'
import { RouteLine } from '../ui/frame/route-line.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf, sentence } from '../ui/text/words.ts'
import { priceOf, type Sms, smsEventsOf, smsOf } from './message.ts'
import { messageStations } from './stations.ts'

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(smsOf(params.id!))
  void client.prefetchQuery(smsEventsOf(params.id!))
}

export default function ShowSms() {
  const id = usePathPart('id')
  const query = useQuery(smsOf(id))
  return (
    <Page
      title={query.data?.to ?? titleWithout(query.error, 'SMS')}
      isMono={query.data !== undefined}
      above={<Go to="/sms">SMS</Go>}
    >
      <Fetch query={query}>
        {(sms) => (
          <Beside
            name="Timeline"
            way={<Timeline sms={sms} />}
            status={
              <>
                <Status of={sms.status} />
                {sms.mode === 'test' && <span className="badge">test</span>}
              </>
            }
          >
            <p className="letter">{sms.body}</p>
            <SmsFacts sms={sms} />
          </Beside>
        )}
      </Fetch>
    </Page>
  )
}

function Timeline({ sms }: { sms: Sms }) {
  return (
    <Fetch query={useQuery(smsEventsOf(sms.id))} lines={3}>
      {(events) => <RouteLine name="Timeline" stations={messageStations(sms, events)} />}
    </Fetch>
  )
}

function SmsFacts({ sms }: { sms: Sms }) {
  return (
    <Facts>
      <Fact name="From">
        <Go to={`/sms/senders/${sms.senderId}`}>{sms.senderName}</Go>
      </Fact>
      <Fact name="To">{sms.to}</Fact>
      <Fact name="Price">{priceOf(sms)}</Fact>
      <Fact name="Length">{countOf(sms.segments, 'segment')}</Fact>
      <Fact name="Type">{sentence(sms.messageType)}</Fact>
      <Fact name="Accepted">
        <Time at={sms.createdAt} isExact />
      </Fact>
      {sms.providerMessageId && (
        <Fact name="Provider’s ID">
          <code>{sms.providerMessageId}</code>
        </Fact>
      )}
      <IdFact id={sms.id} />
    </Facts>
  )
}
