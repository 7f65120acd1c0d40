import { get, withQuery } from '../../api/call.ts'
import type { Page } from '../../api/json.ts'
import type { Mode } from '../../api/mode.ts'
import type { PagePath, PagePattern } from '../../paths.ts'

export type Found = { path: PagePath; mode: Mode; name: string; kind: string }

/** The thing that has an id. `parentId` is the workflow of an execution, or the webhook of a delivery. */
type Thing = { kind: string; id: string; parentId: string | null; name: string }
type Row = { id: string } & Record<string, unknown>
type List = { path: string; kind: string; by: 'search' | 'find'; name: (row: Row) => unknown }

/** The page of each kind of thing, and how people call it. */
// biome-ignore format: one line a kind
const kinds: Record<string, { page: PagePattern; name: string }> = {
  email: { page: '/emails/:id', name: 'Email' },
  sms: { page: '/sms/:id', name: 'SMS' },
  whatsapp_message: { page: '/whatsapp/messages/:id', name: 'WhatsApp message' },
  whatsapp_conversation: { page: '/whatsapp/conversations/:id', name: 'WhatsApp conversation' },
  contact: { page: '/contacts/:id', name: 'Contact' },
  segment: { page: '/segments/:id', name: 'Segment' },
  topic: { page: '/topics/:id', name: 'Topic' },
  template: { page: '/templates/:id', name: 'Template' },
  whatsapp_template: { page: '/whatsapp/templates/:id', name: 'WhatsApp template' },
  broadcast: { page: '/broadcasts/:id', name: 'Broadcast' },
  workflow: { page: '/workflows/:id', name: 'Workflow' },
  execution: { page: '/workflows/:id/executions/:executionId', name: 'Execution' },
  webhook: { page: '/webhooks/:id', name: 'Webhook' },
  delivery: { page: '/webhooks/:id/deliveries/:deliveryId', name: 'Delivery' },
  domain: { page: '/domains/:id', name: 'Domain' },
  sms_sender: { page: '/sms/senders/:id', name: 'SMS sender' },
  whatsapp_sender: { page: '/whatsapp/senders/:id', name: 'WhatsApp sender' },
  request: { page: '/settings/requests/:id', name: 'Request' },
}

/** The lists whose searches the palette asks. */
const lists: List[] = [
  { path: '/v1/emails', kind: 'email', by: 'find', name: (row) => row.subject },
  { path: '/v1/contacts', kind: 'contact', by: 'search', name: (row) => row.email },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const foundMax = 5

/** Looks for things by a text, or for the thing of an id. A list that refuses is left out. Emails are those of the mode. */
export async function findThings(text: string, mode: Mode, signal: AbortSignal): Promise<Found[]> {
  if (uuid.test(text)) return findById(text, signal)
  const answers = await Promise.allSettled(lists.map((list) => searchList(list, text, mode, signal)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Ids of test emails lead to their pages too. Other things of test mode have no page. */
async function findById(id: string, signal: AbortSignal): Promise<Found[]> {
  const live = await lookUp(id, undefined, signal)
  if (live) return toFound(live)
  const test = await lookUp(id, 'test', signal)
  return test?.kind === 'email' ? toFound(test, 'test') : []
}

async function lookUp(id: string, mode: Mode, signal: AbortSignal): Promise<Thing | null> {
  return (await get<{ found: Thing | null }>(withQuery('/v1/lookup', { id, mode }), { signal })).found
}

async function searchList(list: List, text: string, asked: Mode, signal: AbortSignal): Promise<Found[]> {
  const { path, kind, by, name } = list
  const mode = kind === 'email' ? asked : undefined
  const { data } = await get<Page<Row>>(withQuery(path, { [by]: text, limit: foundMax, mode }), { signal })
  return data.flatMap((row) => toFound({ kind, id: row.id, parentId: null, name: String(name(row) ?? row.id) }, mode))
}

/** A kind that is newer than this page has no page here. */
function toFound({ kind, id, parentId, name }: Thing, mode?: Mode): Found[] {
  const known = kinds[kind]
  if (!known) return []
  // The first parameter of a page of two is the parent's id.
  const ids = [parentId, id].filter((one) => one !== null)
  const path = known.page.replaceAll(/:\w+/g, () => ids.shift() ?? '') as PagePath
  return [{ path, mode, kind: known.name, name }]
}
