import { useQuery } from '@tanstack/react-query'
import { Figure } from '../ui/figure/figure.tsx'
import { dayLabel, hourLabel } from '../ui/figure/labels.ts'
import type { Series } from '../ui/figure/series.ts'
import { Fetch } from '../ui/frame/states.tsx'
import { dollars, number, percent } from '../ui/text/words.ts'
import { type Channel, type Counts, countsOf, type Filter, type Metrics, metricsOf, rateOf } from './counts.ts'
import type { Period } from './period.ts'

type Props = { period: Period; filter: Filter }

const sent: Series = { key: 'sent', name: 'Sent', tone: 'blue' }
const delivered: Series = { key: 'delivered', name: 'Delivered', tone: 'green' }
const failed: Series = { key: 'failed', name: 'Failed', tone: 'red' }

export function EmailFigures({ period, filter }: Props) {
  const query = useQuery(metricsOf('emails', period, filter))
  return (
    <Fetch query={query} lines={6}>
      {(metrics) => (
        <>
          <Emails metrics={metrics} period={period} />
          <Rate metrics={metrics} period={period} />
          <Reading metrics={metrics} period={period} />
        </>
      )}
    </Fetch>
  )
}

function Emails({ metrics, period }: { metrics: Metrics<'emails'>; period: Period }) {
  return (
    <Figure
      name="Emails over time"
      words={countsOf(metrics.total, ['sent', 'delivered', 'bounced', 'complained'])}
      series={[
        sent,
        delivered,
        { key: 'delayed', name: 'Delayed', tone: 'amber' },
        { key: 'bounced', name: 'Bounced', tone: 'red' },
        { key: 'complained', name: 'Complained', tone: 'purple' },
      ]}
      {...pointsOf(metrics, period)}
    />
  )
}

function Rate({ metrics: { data, total }, period }: { metrics: Metrics<'emails'>; period: Period }) {
  const rate = rateOf(total.delivered, total.bounced, total.softBounced)
  const points = data.map((point) => ({
    at: point.at,
    values: { rate: rateOf(point.delivered, point.bounced, point.softBounced) },
  }))
  return (
    <Figure
      name="Delivery rate"
      words={rate === null ? 'Nothing has arrived or bounced yet' : `${percent(rate)} delivered`}
      series={[{ key: 'rate', name: 'Delivered', tone: 'green' }]}
      points={points}
      labelOf={labelOf(period)}
      format={percent}
      top={1}
    />
  )
}

function Reading({ metrics, period }: { metrics: Metrics<'emails'>; period: Period }) {
  const { uniqueOpened = 0, uniqueClicked = 0, unsubscribed = 0 } = metrics.total
  return (
    <Figure
      name="Opens and clicks"
      words={`${number(uniqueOpened)} opened, ${number(uniqueClicked)} clicked, ${number(unsubscribed)} unsubscribed`}
      series={[
        { key: 'uniqueOpened', name: 'Opened', tone: 'purple' },
        { key: 'uniqueClicked', name: 'Clicked', tone: 'blue' },
        { key: 'unsubscribed', name: 'Unsubscribed', tone: 'amber' },
      ]}
      {...pointsOf(metrics, period)}
    />
  )
}

type ChannelFigure = { channel: Channel; name: string; series: Series[]; words: (total: Counts) => string }

/** The figures of everything but emails. */
export const channelFigures: ChannelFigure[] = [
  {
    ...{ channel: 'sms', name: 'SMS' },
    series: [sent, delivered, { key: 'undelivered', name: 'Undelivered', tone: 'amber' }, failed],
    words: (total) => `${countsOf(total, ['sent', 'delivered', 'failed'])}, ${dollars((total.costCents ?? 0) / 100)}`,
  },
  {
    ...{ channel: 'whatsapp', name: 'WhatsApp' },
    series: [
      sent,
      delivered,
      { key: 'read', name: 'Read', tone: 'purple' },
      failed,
      { key: 'received', name: 'Received', tone: 'muted' },
    ],
    words: (total) => countsOf(total, ['sent', 'delivered', 'read', 'received']),
  },
  {
    ...{ channel: 'workflows', name: 'Workflows' },
    series: [
      { key: 'started', name: 'Started', tone: 'blue' },
      { key: 'completed', name: 'Completed', tone: 'green' },
      failed,
      { key: 'cancelled', name: 'Cancelled', tone: 'muted' },
    ],
    words: (total) => countsOf(total, ['started', 'completed', 'failed']),
  },
  {
    ...{ channel: 'webhooks', name: 'Webhooks' },
    series: [delivered, failed, { key: 'attempts', name: 'Attempts', tone: 'muted' }],
    words: (total) =>
      `${countsOf(total, ['delivered', 'failed'])}${total.attempts ? `, 95% of attempts took at most ${number(total.p95Ms ?? 0)} ms` : ''}`,
  },
]

export function OneChannel({ channel, name, series, words, period, filter }: ChannelFigure & Props) {
  // Only the workflows have a filter that is theirs too; the other channels are counted for the whole team.
  const { workflowId } = filter
  const query = useQuery(metricsOf(channel, period, channel === 'workflows' && workflowId ? { workflowId } : {}))
  return (
    <Fetch query={query} lines={6}>
      {(metrics) => <Figure name={name} words={words(metrics.total)} series={series} {...pointsOf(metrics, period)} />}
    </Fetch>
  )
}

function pointsOf({ data }: Metrics, period: Period) {
  return { points: data.map(({ at, ...values }) => ({ at, values })), labelOf: labelOf(period) }
}

function labelOf({ interval }: Period) {
  return interval === 'hour' ? hourLabel : dayLabel
}
