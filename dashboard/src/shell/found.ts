import { get, withQuery } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { pages } from '../pages.ts'

export type Found = { path: string; name: string; kind: string }

type Row = { id: string } & Record<string, unknown>
type Source = { path: string; page: string; kind: string; name: (row: Row) => unknown; isSearched?: true }

/** Where the palette looks: lists that search, and things that an id may belong to. */
// biome-ignore format: one line a source
const sources: Source[] = [
  { path: '/v1/emails', page: '/emails/:id', kind: 'Email', name: (row) => row.subject, isSearched: true },
  { path: '/v1/contacts', page: '/contacts/:id', kind: 'Contact', name: (row) => row.email, isSearched: true },
  { path: '/v1/broadcasts', page: '/broadcasts/:id', kind: 'Broadcast', name: (row) => row.name },
  { path: '/v1/templates', page: '/templates/:id', kind: 'Template', name: (row) => row.name },
  { path: '/v1/workflows', page: '/workflows/:id', kind: 'Workflow', name: (row) => row.name },
  { path: '/v1/segments', page: '/segments/:id', kind: 'Segment', name: (row) => row.name },
  { path: '/v1/topics', page: '/topics/:id', kind: 'Topic', name: (row) => row.name },
  { path: '/v1/webhooks', page: '/webhooks/:id', kind: 'Webhook', name: (row) => row.endpointUrl },
  { path: '/v1/domains', page: '/domains/:id', kind: 'Domain', name: (row) => row.name },
  { path: '/v1/sms', page: '/sms/:id', kind: 'SMS', name: (row) => row.to },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const foundMax = 5

/** Looks for things by a text, or for the thing of an id. A list that refuses is left out. */
export async function findThings(text: string, signal: AbortSignal): Promise<Found[]> {
  const present = sources.filter(({ page }) => pages.some(({ path }) => path === page))
  if (uuid.test(text)) return findById(present, text, signal)
  const searched = present.filter(({ isSearched }) => isSearched)
  const answers = await Promise.allSettled(searched.map((source) => bySearch(source, text, signal)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** One after the other, because the browser writes each that is not found to its console. */
async function findById(present: Source[], id: string, signal: AbortSignal): Promise<Found[]> {
  for (const source of present) {
    const found = await byId(source, id, signal).catch(() => [])
    if (found.length > 0 || signal.aborted) return found
  }
  return []
}

async function byId(source: Source, id: string, signal: AbortSignal): Promise<Found[]> {
  return [toFound(source, await get<Row>(`${source.path}/${id}`, { signal }))]
}

async function bySearch(source: Source, search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await get<Page<Row>>(withQuery(source.path, { search, limit: foundMax }), { signal })
  return data.map((row) => toFound(source, row))
}

function toFound({ page, kind, name }: Source, row: Row): Found {
  return { path: page.replace(':id', row.id), kind, name: String(name(row) ?? row.id) }
}
