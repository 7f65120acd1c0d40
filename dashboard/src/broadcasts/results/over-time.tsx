import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { type Answer, get } from '../../api/request.ts'
import { Figure } from '../../ui/figure/figure.tsx'
import { dayLabel, hourLabel } from '../../ui/figure/labels.ts'
import { countOf, number } from '../../ui/text/words.ts'
import type { Broadcast } from '../broadcast.ts'

type Point = Answer<'/v1/metrics/emails'>['data'][number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Days that the API gives at most, with some to spare. */
const daysMax = 700
/** Points that are shown at least, so that a single hour does not fill the figure. */
const pointsMin = 12
/** Up to this many days are shown by the hour. */
const hourlyDaysMax = 3

/** Shows the events of a broadcast's emails over time, from the first one on. */
export function OverTime({ broadcast: { id, createdAt } }: { broadcast: Broadcast }) {
  const from = new Date(Math.max(new Date(createdAt).getTime(), Date.now() - daysMax * dayMs)).toISOString()
  const days = useMetrics(id, from.slice(0, 10), 'day', true)
  const first = days?.data.findIndex(hasCounts) ?? -1
  const shownDays = first < 0 ? [] : days!.data.slice(first)
  const isHourly = shownDays.length > 0 && shownDays.length <= hourlyDaysMax
  const hours = useMetrics(id, hoursFrom(shownDays[0]?.at ?? from), 'hour', isHourly)
  const shown = isHourly ? fromFirst(hours?.data) : fromFirst(days?.data)
  if (!days || !shown || shown.length === 0) return null
  const { delivered, opened, clicked } = days.total
  return (
    <Figure
      name="Over time"
      words={`${number(delivered)} delivered, ${countOf(opened, 'opening')}, ${countOf(clicked, 'click')}`}
      series={[
        { key: 'delivered', name: 'Delivered', tone: 'green' },
        { key: 'opened', name: 'Opened', tone: 'purple' },
        { key: 'clicked', name: 'Clicked', tone: 'blue' },
        { key: 'bounced', name: 'Bounced', tone: 'red' },
      ]}
      points={shown.map(({ at, ...values }) => ({ at, values }))}
      labelOf={isHourly ? hourLabel : dayLabel}
    />
  )
}

function useMetrics(broadcastId: string, from: string, interval: 'day' | 'hour', isWanted: boolean) {
  const start = from.length === 10 ? `${from}T00:00:00Z` : from
  return useQuery({
    queryKey: keys.part('broadcasts', 'metrics', { broadcastId, start, interval }),
    queryFn: ({ signal }) => get('/v1/metrics/emails', { broadcastId, from: start, interval }, { signal }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  }).data
}

/** The beginning of a day, or an earlier hour where the day has too few hours yet. */
function hoursFrom(day: string): string {
  const early = (Math.floor(Date.now() / hourMs) - pointsMin + 1) * hourMs
  return new Date(Math.min(Date.parse(day), early)).toISOString()
}

/** The points from the first with counts on. */
function fromFirst(points: Point[] | undefined) {
  if (!points) return undefined
  const first = points.findIndex(hasCounts)
  return first < 0 ? [] : points.slice(Math.max(0, Math.min(first, points.length - pointsMin)))
}

function hasCounts({ delivered, opened, clicked, bounced }: Point): boolean {
  return delivered + opened + clicked + bounced > 0
}
