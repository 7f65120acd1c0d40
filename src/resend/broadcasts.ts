import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { cancelBroadcast } from '../broadcasts/cancel.ts'
import { createBroadcast } from '../broadcasts/create.ts'
import { deleteBroadcast } from '../broadcasts/delete.ts'
import { broadcastsSeenBy, getBroadcast } from '../broadcasts/get.ts'
import { listBroadcasts } from '../broadcasts/list.ts'
import { isSeen } from '../broadcasts/queries.ts'
import type { Broadcast, BroadcastChanges } from '../broadcasts/schema.ts'
import { sendBroadcast } from '../broadcasts/send.ts'
import { updateBroadcast } from '../broadcasts/update.ts'
import type { App, Caller } from '../context.ts'
import { subjectMax } from '../emails/bounds.ts'
import { invalid } from '../platform/errors.ts'
import { documentMax, Name, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { ourText, previewIn, theirText, withPreview } from './broadcast-text.ts'
import { Addresses } from './email-body.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso, readTime } from './times.ts'

const Id = Type.String({ format: 'uuid' })
const When = Type.Optional(Text({ minLength: 1, maxLength: 100 }))

const changes = {
  name: Type.Optional(Name({ maxLength: 200 })),
  segment_id: Type.Optional(Id),
  audience_id: Type.Optional(Id),
  preview_text: Type.Optional(Text({ maxLength: 500 })),
  from: Type.Optional(Text({ minLength: 1, maxLength: 1000 })),
  html: Type.Optional(Text({ maxLength: documentMax })),
  text: Type.Optional(Text({ maxLength: documentMax })),
  reply_to: Type.Optional(Addresses),
  subject: Type.Optional(Text({ minLength: 1, maxLength: subjectMax })),
  topic_id: Type.Optional(Nullable(Id)),
}
export const BroadcastChangesBody = Strict(changes)
export const NewBroadcastBody = Strict({
  ...changes,
  from: Text({ minLength: 1, maxLength: 1000 }),
  subject: Text({ minLength: 1, maxLength: subjectMax }),
  send: Type.Optional(Type.Boolean()),
  scheduled_at: When,
})
export const SendBody = Strict({ scheduled_at: When })
type Changes = Static<typeof BroadcastChangesBody>

/** Their fields as ours. `before` is the broadcast that they change. */
function fieldsOf(body: Changes, before?: Broadcast): BroadcastChanges {
  const { name, from, html, text, subject, preview_text, reply_to, topic_id } = body
  const segmentId = body.segment_id ?? body.audience_id
  const [replyTo, ...more] = [reply_to ?? []].flat()
  if (more.length > 0) throw invalid('replyTo', 'must be one address for a broadcast')
  const known = previewIn(before?.html ?? '')
  const isNewHtml = html !== undefined || (preview_text !== undefined && before?.html)
  const source = html === undefined ? known.html : ourText(html)
  const preview = preview_text === undefined ? known.previewText : ourText(preview_text)
  return {
    ...(name !== undefined && { name }),
    ...(from !== undefined && { from }),
    ...(segmentId !== undefined && { segmentId }),
    ...(subject !== undefined && { subject: ourText(subject) }),
    ...(isNewHtml && { html: withPreview(source, preview) }),
    ...(text !== undefined && { text: ourText(text) }),
    ...(reply_to !== undefined && { replyTo: replyTo ?? null }),
    ...(topic_id !== undefined && { topicId: topic_id }),
  }
}

/** Ours is a draft, waits, or has gone; Resend has one status from the request to send until the end of it. */
const statuses: Record<Broadcast['status'], string> = {
  ...{ draft: 'draft', scheduled: 'queued', queued: 'queued', sending: 'queued', sent: 'sent' },
}

function theirBroadcast({ id, name, segmentId, status, createdAt, scheduledAt, sentAt }: Broadcast) {
  const segment = { segment_id: segmentId, audience_id: segmentId }
  const times = { created_at: iso(createdAt), scheduled_at: iso(scheduledAt), sent_at: iso(sentAt) }
  return { id, name, ...segment, status: statuses[status], ...times }
}

export async function createTheirBroadcast(
  app: App,
  caller: Caller,
  { body }: { body: Static<typeof NewBroadcastBody> },
) {
  const { send = false, scheduled_at, ...given } = body
  if (!given.segment_id && !given.audience_id) throw invalid('segmentId', 'is required')
  if (!given.html && !given.text) throw invalid('html` or `text', 'is required')
  if (scheduled_at !== undefined && !send) throw invalid('scheduledAt', 'needs send to be true')
  const fields = { ...fieldsOf(given), ...whenOf(app, scheduled_at) }
  const name =
    given.name ??
    (theirText(fields.subject!)
      .replace(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, 200) ||
      'Broadcast')
  const { from, segmentId, subject } = fields
  const made = await createBroadcast(app, caller, {
    ...fields,
    name,
    from: from!,
    segmentId: segmentId!,
    subject: subject!,
  })
  if (send) await sendOrDelete(app, caller, made.id)
  return { object: 'broadcast', id: made.id }
}

/** A broadcast that cannot be sent is not kept as a draft, because a repeat of the request would make another. */
async function sendOrDelete(app: App, caller: Caller, id: string): Promise<void> {
  try {
    await sendBroadcast(app, caller, id, null)
  } catch (error) {
    await deleteBroadcast(app, caller, id).catch((other) =>
      app.log.error({ err: other, broadcast: id }, 'a broadcast that could not be sent could not be deleted'),
    )
    throw error
  }
}

function whenOf(app: App, scheduledAt: string | undefined) {
  return scheduledAt === undefined ? {} : { scheduledAt: readTime(scheduledAt, app.clock.now()) }
}

export async function sendTheirBroadcast(
  app: App,
  caller: Caller,
  { id, body, key }: { id: string; body: Static<typeof SendBody>; key: string | null },
) {
  const { scheduledAt = null } = whenOf(app, body.scheduled_at)
  await sendBroadcast(app, caller, id, key, { scheduledAt }, body)
  return { object: 'broadcast', id }
}

export async function listTheirBroadcasts(app: App, caller: Caller, { query }: { query: PageQuery }) {
  const seen = isSeen(await broadcastsSeenBy(app, caller))
  const ids = sql`select id from broadcasts as broadcast where team_id = ${caller.teamId} and ${seen}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listBroadcasts(app, caller, ours))
  return listOf(data.map(theirBroadcast), hasMore)
}

export async function getTheirBroadcast(app: App, caller: Caller, { id }: { id: string }) {
  const found = await getBroadcast(app, caller, id)
  const { html, previewText } = previewIn(found.html ?? '')
  return {
    object: 'broadcast',
    ...theirBroadcast(found),
    ...{ from: found.from, subject: theirText(found.subject), topic_id: found.topicId },
    reply_to: found.replyTo === null ? null : [found.replyTo],
    preview_text: previewText && theirText(previewText),
    html: found.html === null ? null : theirText(html),
    text: found.text === null ? null : theirText(found.text),
  }
}

export async function updateTheirBroadcast(app: App, caller: Caller, { id, body }: { id: string; body: Changes }) {
  const before = await getBroadcast(app, caller, id)
  await updateBroadcast(app, caller, id, fieldsOf(body, before), null)
  return { object: 'broadcast', id }
}

export async function duplicateTheirBroadcast(app: App, caller: Caller, { id }: { id: string }) {
  const { name, from, segmentId, subject, html, text, topicId, replyTo } = await getBroadcast(app, caller, id)
  const copy = { name: `${name.slice(0, 190)} (Copy)`, from, segmentId, subject, html, text, topicId, replyTo }
  return { object: 'broadcast', id: (await createBroadcast(app, caller, copy)).id }
}

export async function cancelTheirBroadcast(app: App, caller: Caller, { id }: { id: string }) {
  await cancelBroadcast(app, caller, id)
  return { object: 'broadcast', id }
}

export async function deleteTheirBroadcast(app: App, caller: Caller, { id }: { id: string }) {
  return { object: 'broadcast', ...(await deleteBroadcast(app, caller, id)) }
}
