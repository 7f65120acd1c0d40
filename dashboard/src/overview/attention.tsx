import { useQueries } from '@tanstack/react-query'
import { allOf } from '../api/all.ts'
import type { RowOf } from '../api/request.ts'
import { metricsOf } from '../metrics/counts.ts'
import { startOf } from '../metrics/period.ts'
import type { PagePath } from '../paths.ts'
import { useInstallation } from '../session/installation.ts'
import { localDay } from '../ui/form/local-time.ts'
import { Section } from '../ui/frame/section.tsx'
import { Failed, Loading } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { countOf } from '../ui/text/words.ts'
import { useFailedWorkflows } from './failed-workflows.ts'
import { today } from './today.tsx'

type Item = { id: string; text: string; page?: PagePath; search?: Record<string, string> }

type Noun = 'domains' | 'sms/senders' | 'whatsapp/senders' | 'whatsapp/templates'
type Row = RowOf<`/v1/${Noun}`>
type StatusOf<R> = R extends { status: infer Status } ? Status : never
type ListOf<N extends Noun> = { noun: N; what: string; page: PagePath; states: StatusOf<RowOf<`/v1/${N}`>>[] }
type List = { [N in Noun]: ListOf<N> }[Noun]

/** Things whose status wants a person, by the list that has them. */
const lists: List[] = [
  { noun: 'domains', what: 'Domain', page: '/domains', states: ['failed', 'temporary_failure', 'pending'] },
  { noun: 'sms/senders', what: 'SMS sender', page: '/sms/senders', states: ['failed', 'rejected', 'suspended'] },
  {
    noun: 'whatsapp/senders',
    what: 'WhatsApp sender',
    page: '/whatsapp/senders',
    states: ['failed', 'rejected', 'suspended'],
  },
  {
    noun: 'whatsapp/templates',
    what: 'WhatsApp template',
    page: '/whatsapp/templates',
    states: ['rejected', 'disabled'],
  },
]

const states: Partial<Record<Row['status'], string>> = {
  failed: 'failed its verification',
  temporary_failure: 'could not be verified: DNS did not answer',
  pending: 'waits for its DNS records',
  rejected: 'was rejected',
  suspended: 'is suspended',
  disabled: 'is disabled',
}

/** Lists failures that need a person. */
export function Attention() {
  const listed = useQueries({ queries: lists.map(({ noun }) => allOf(`/v1/${noun}`)) })
  const counted = useQueries({
    queries: [metricsOf('emails', today), metricsOf('workflows', today), metricsOf('webhooks', today)],
  })
  const [emails, workflows, webhooks] = counted
  const flows = useFailedWorkflows(workflows?.data?.total.failed ?? 0)
  const unknown = [...listed, ...counted].filter(({ data }) => data === undefined)
  const isLoading = unknown.length > 0 || flows.isPending
  const refused = unknown.find(({ error }) => error)
  const discarded = useInstallation().data?.discardedJobs ?? 0
  const total = emails?.data?.total
  const emailItems = [
    ...failed(total?.bounced, 'email', 'emails', 'bounced today', emailsOfToday('bounced')),
    ...failed(total?.complained, 'email was', 'emails were', 'reported as spam today', emailsOfToday('complained')),
  ]
  const items = [
    ...discardedJobs(discarded),
    ...listed.flatMap(({ data }, index) => itemsOf(lists[index]!, data ?? [])),
    ...failed(webhooks?.data?.total.failed, 'webhook delivery was', 'webhook deliveries were', 'given up today', {
      page: '/webhooks',
    }),
    ...(flows.isPending ? [] : failedExecutions(flows)),
    ...emailItems,
  ]
  return (
    <Section title="Needs attention">
      {items.length === 0 && !isLoading && <p className="muted">Nothing failed.</p>}
      {items.length > 0 && (
        <ul className="attention">
          {items.map(({ id, text, page, search }) => (
            <li key={id}>
              {page ? (
                <Go to={page} {...(search && { search })}>
                  {text}
                </Go>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      )}
      {emailItems.length > 0 && (
        <p className="small muted">Today began at midnight UTC. The lists of emails go by the day of acceptance.</p>
      )}
      {refused ? (
        <Failed error={refused.error} onRetry={() => unknown.forEach((query) => void query.refetch())} />
      ) : (
        isLoading && <Loading lines={2} />
      )}
    </Section>
  )
}

function itemsOf({ what, page, states: wanted }: List, rows: Row[]): Item[] {
  const isWanted = new Set<Row['status']>(wanted)
  return rows
    .filter(({ status }) => isWanted.has(status))
    .map(({ id, name, status }) => ({ ...{ id, page }, text: `${what} ${name} ${states[status]}` }))
}

/** For the operator's team. A command takes the place of a page. */
function discardedJobs(count: number): Item[] {
  if (count === 0) return []
  const text = `${countOf(count, 'job')} of this installation failed for good: see posthorn jobs list --discarded`
  return [{ id: 'discarded jobs', text }]
}

type Place = Pick<Item, 'page' | 'search'>

/** The emails of a status that were accepted since the day of the reader on which the day of the figures began. */
function emailsOfToday(status: string): Place {
  return { page: '/emails', search: { status, from: localDay(startOf(today, new Date())) } }
}

function failedExecutions({ found, others }: ReturnType<typeof useFailedWorkflows>): Item[] {
  return [
    ...found.flatMap(({ id, name, failed: count }) => {
      const place: Place = { page: `/workflows/${id}/executions`, search: { status: 'failed' } }
      return failed(count, 'execution', 'executions', `of ${name} failed today`, place).map((item) => ({ ...item, id }))
    }),
    ...failed(others, 'execution', 'executions', 'of workflows failed today', { page: '/workflows' }),
  ]
}

function failed(count: number | undefined, one: string, many: string, what: string, place: Place): Item[] {
  if (!count) return []
  return [{ id: `${many} ${what}`, text: `${countOf(count, one, many)} ${what}`, ...place }]
}
