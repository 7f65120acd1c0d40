import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { deliveryStatuses } from '../../../src/webhooks/table.ts'
import { useList } from '../api/list.ts'
import { Status } from '../status/status.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { useAddress } from '../ui/go/address.ts'
import type { Column } from '../ui/table/columns.ts'
import { NoMatch } from '../ui/table/no-match.tsx'
import { StatusFilter } from '../ui/table/status-filter.tsx'
import { Table } from '../ui/table/table.tsx'
import { ListFilter, ListTools } from '../ui/table/tools.tsx'
import { Time } from '../ui/text/time.tsx'
import { ReplayFailed } from './replay-failed.tsx'
import { SendTestEvent } from './send-test-event.tsx'
import type { Delivery, Webhook } from './webhook.ts'

const columns: Column<Delivery>[] = [
  { name: 'Event', width: '2fr', narrow: 'first', cell: ({ eventType }) => <span className="mono">{eventType}</span> },
  { name: 'Status', width: '108px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
  { name: 'Answer', width: '1fr', narrow: 'second', cell: answerOf },
  { name: 'Attempts', width: '84px', isNumber: true, isExtra: true, cell: ({ attempts }) => attempts },
  {
    name: 'Next attempt',
    width: '108px',
    isExtra: true,
    cell: ({ nextRetryAt }) => (nextRetryAt ? <Time at={nextRetryAt} /> : <span className="muted">–</span>),
  },
  { name: 'Created', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The deliveries of a webhook, with what sends a test event and what failed. */
export function Deliveries({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const [{ status, eventType }] = useAddress()
  const list = useList('/v1/webhooks/:id/deliveries', { id: webhook.id, status, eventType })
  return (
    <Section
      title="Deliveries"
      actions={
        mayChange &&
        webhook.status === 'active' && (
          <div className="actions">
            <ReplayFailed webhook={webhook} />
            <SendTestEvent webhook={webhook} />
          </div>
        )
      }
    >
      <ListTools>
        <StatusFilter statuses={deliveryStatuses} />
        <ListFilter
          name="Event"
          parameter="eventType"
          all="Any event"
          options={eventTypes.map((value) => ({ value, label: value }))}
        />
      </ListTools>
      <Table
        name="Deliveries"
        list={list}
        columns={columns}
        to={({ id }) => `/webhooks/${webhook.id}/deliveries/${id}`}
        empty={status || eventType ? <NoMatch title="No delivery matches" /> : <Nothing />}
      />
    </Section>
  )
}

function Nothing() {
  return (
    <Empty title="No deliveries yet">
      <p>
        Each event that this webhook gets stands here with what your endpoint answered. Finished ones are kept for 30
        days.
      </p>
    </Empty>
  )
}

function answerOf({ responseStatusCode, attempts }: Delivery) {
  if (responseStatusCode !== null) return responseStatusCode
  return <span className="muted">{attempts > 0 ? 'No answer' : 'Not sent yet'}</span>
}
