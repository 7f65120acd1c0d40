import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { type Answer, getAny } from '../api/request.ts'
import { number } from '../ui/text/words.ts'
import { type Period, startOf } from './period.ts'

export type Counts = Record<string, number>
export type Metrics<C extends Channel = Channel> = Answer<`/v1/metrics/${C}`>
export type Channel = 'emails' | 'sms' | 'whatsapp' | 'workflows' | 'webhooks'

/** The filters of the figures. The API takes one of them at a time. */
export type Filter = { [Name in (typeof filterNames)[number]]?: string | undefined }
export const filterNames = ['domainId', 'broadcastId', 'workflowId', 'tag'] as const

/** The query of a channel's figures. */
export function metricsOf<C extends Channel>(channel: C, period: Period, filter: Filter = {}) {
  const from = startOf(period, new Date())
  const parameters = { from, interval: period.interval, ...filter }
  return queryOptions({
    queryKey: keys.part('metrics', channel, parameters),
    queryFn: ({ signal }) => getAny(`/v1/metrics/${channel}`, parameters, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The share of delivered emails among those whose outcome is known. Null if none is. */
export function rateOf(delivered = 0, bounced = 0, softBounced = 0): number | null {
  const known = delivered + bounced + softBounced
  return known === 0 ? null : delivered / known
}

/** Says counts in words, such as *4 sent, 3 delivered*. */
export function countsOf(counts: Counts, names: string[]): string {
  return names.map((name) => `${number(counts[name] ?? 0)} ${name.toLowerCase()}`).join(', ')
}
