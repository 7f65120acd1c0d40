import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { bytesOf, type PageQuery, readPage } from '../../platform/pagination.ts'

type Channel = 'sms' | 'whatsapp'

type Thread = { id: string; channel: Channel; phoneNumber: string; lastMessageAt: Date; preview: string }
type Message = {
  id: string
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  body: string
  createdAt: Date
}

/** Characters of the newest message in a list of threads, as in the list of conversations. */
const previewMax = 120

/** The messages of both channels. The inbox keeps few, so they are read as a whole. */
function messagesOf(teamId: string) {
  const person = (from: string) =>
    sql`case direction when 'inbound' then ${sql.ref(from)} else to_number end as "phoneNumber"`
  return sql`(
    select 'sms' as channel, id, ${person('from_sender')}, direction, from_sender as "from", to_number as "to", body,
      created_at as "createdAt"
    from inbox_sms where team_id = ${teamId}
    union all
    select 'whatsapp', id, ${person('from_number')}, direction, from_number, to_number, body, created_at
    from inbox_whatsapp where team_id = ${teamId}
  ) as message`
}

type ThreadsQuery = PageQuery & { channel?: Channel | undefined }

/** Lists a page of the numbers that messages went to or came from, the newest message first. */
export async function listThreads(app: App, teamId: string, { channel, ...query }: ThreadsQuery) {
  const rows = sql<Thread>`
    select distinct on (channel, "phoneNumber") id, channel, "phoneNumber", "createdAt" as "lastMessageAt",
      left(body, ${previewMax}) as preview
    from ${messagesOf(teamId)} ${channel ? sql`where channel = ${channel}` : sql``}
    order by channel, "phoneNumber", id desc
  `
  const page = await readPage(app, { list: 'inbox threads', teamId, filters: { channel } }, query, rows, {
    limitDefault: 20,
  })
  return { ...page, data: page.data.map(({ id: _, ...thread }) => thread) }
}

/** Lists a page of the messages with a number, newest first. Throws `notFound` if there are none. */
export async function listThread(app: App, teamId: string, channel: Channel, phoneNumber: string, query: PageQuery) {
  const rows = sql<Message>`
    select id, direction, "from", "to", body, "createdAt" from ${messagesOf(teamId)}
    where channel = ${channel} and "phoneNumber" = ${phoneNumber}
  `
  const key = { list: 'inbox thread', teamId, filters: { channel, phoneNumber } }
  const page = await readPage(app, key, query, rows, { limitDefault: 20, bytes: bytesOf('body') })
  if (page.data.length === 0) throw notFound('conversation in the inbox')
  return page
}
