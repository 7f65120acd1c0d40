import Type, { type Static } from 'typebox'
import { createBroadcast } from '../broadcasts/create.ts'
import { deleteBroadcast } from '../broadcasts/delete.ts'
import { getBroadcast } from '../broadcasts/get.ts'
import { listBroadcasts } from '../broadcasts/list.ts'
import type { Broadcast, BroadcastChanges } from '../broadcasts/schema.ts'
import { sendBroadcast } from '../broadcasts/send.ts'
import { updateBroadcast } from '../broadcasts/update.ts'
import type { App, Caller } from '../context.ts'
import { subjectMax } from '../emails/bounds.ts'
import { invalid } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { documentMax, Name, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { firstCharacters } from '../platform/text/cut.ts'
import { ourText, previewIn, theirText, withPreview } from './broadcast-text.ts'
import { Addresses } from './email-body.ts'
import { ourFields, theirFields } from './names.ts'
import { lists, rowsOf } from './route-like.ts'
import { readTime } from './times.ts'

const Id = Type.String({ format: 'uuid' })
const From = Text({ minLength: 1, maxLength: 1000 })
const Subject = Text({ minLength: 1, maxLength: subjectMax })
const Document = Type.Optional(Text({ maxLength: documentMax }))
/** The Go package writes a time that is not given as an empty text. */
const SendOptions = Strict({ scheduled_at: Type.Optional(Text({ maxLength: 100 })) })

const changes = {
  name: Type.Optional(Name({ maxLength: 200 })),
  segment_id: Type.Optional(Id),
  audience_id: Type.Optional(Id),
  preview_text: Type.Optional(Text({ maxLength: 500 })),
  from: Type.Optional(From),
  html: Document,
  text: Document,
  reply_to: Type.Optional(Addresses),
  subject: Type.Optional(Subject),
  topic_id: Type.Optional(Nullable(Id)),
}
const BroadcastChangesBody = Strict(changes)
const NewBroadcast = Strict({
  ...changes,
  from: From,
  subject: Subject,
  send: Type.Optional(Type.Boolean()),
  ...SendOptions.properties,
})

/** Their fields as ours. `before` is the broadcast that they change. */
function fieldsOf(body: Static<typeof BroadcastChangesBody>, before?: Broadcast): BroadcastChanges {
  const { audience_id, segment_id = audience_id, preview_text, html, text, subject, reply_to, ...given } = body
  const [replyTo = null, ...more] = [reply_to ?? []].flat()
  if (more.length > 0) throw invalid('replyTo', 'must be one address for a broadcast')
  const known = previewIn(before?.html ?? '')
  const isNewHtml = html !== undefined || (preview_text !== undefined && before?.html)
  const source = html === undefined ? known.html : ourText(html)
  const preview = preview_text === undefined ? known.previewText : ourText(preview_text)
  return {
    ...ourFields({ ...given, segment_id }),
    subject: subject && ourText(subject),
    html: isNewHtml ? withPreview(source, preview) : undefined,
    text: text && ourText(text),
    replyTo: reply_to === undefined ? undefined : replyTo,
  }
}

/** Ours is a draft, waits, or has gone; Resend has one status from the request to send until the end of it. */
const statuses: Record<Broadcast['status'], string> = {
  ...{ draft: 'draft', scheduled: 'queued', queued: 'queued', sending: 'queued', sent: 'sent' },
}

function theirBroadcast({ id, name, segmentId, status, ...times }: Broadcast) {
  return {
    ...{ id, name, segment_id: segmentId, audience_id: segmentId, status: statuses[status] },
    ...theirFields(times, 'createdAt', 'scheduledAt', 'sentAt'),
  }
}

function wholeBroadcast(broadcast: Broadcast) {
  const { from, subject, topicId, replyTo, text } = broadcast
  const { html, previewText } = previewIn(broadcast.html ?? '')
  return {
    ...theirBroadcast(broadcast),
    ...{ from, subject: theirText(subject), topic_id: topicId, reply_to: replyTo === null ? null : [replyTo] },
    preview_text: previewText && theirText(previewText),
    html: broadcast.html === null ? null : theirText(html),
    text: text === null ? null : theirText(text),
  }
}

const { shows, does } = rowsOf('broadcast')

export const theirBroadcastRoutes: Route[] = [
  shows('createBroadcast', 'POST /broadcasts', NewBroadcast, ({ app, caller, body }) =>
    createTheirs(app, caller, body),
  ),
  lists('listBroadcasts', '/broadcasts', theirBroadcast, ({ app, caller, query }) =>
    listBroadcasts(app, caller, query),
  ),
  shows('getBroadcast', 'GET /broadcasts/:id', async ({ app, caller, id }) =>
    wholeBroadcast(await getBroadcast(app, caller, id)),
  ),
  does('updateBroadcast', 'PATCH /broadcasts/:id', BroadcastChangesBody, async ({ app, caller, id, body }) => {
    const before = await getBroadcast(app, caller, id)
    await updateBroadcast(app, caller, id, fieldsOf(body, before), null)
  }),
  {
    ...does('sendBroadcast', 'POST /broadcasts/:id/send', SendOptions, async ({ app, caller, id, body, ...input }) => {
      const when = { scheduledAt: null, ...whenOf(app, body) }
      await sendBroadcast(app, caller, id, input.idempotencyKey, when, body)
    }),
    bodyOptional: true,
  },
  does('cancelBroadcast', 'POST /broadcasts/:id/cancel'),
  shows('createBroadcast', 'POST /broadcasts/:id/duplicate', async ({ app, caller, id }) => {
    const { name, from, segmentId, subject, html, text, topicId, replyTo } = await getBroadcast(app, caller, id)
    const copy = {
      name: `${firstCharacters(name, 190)} (Copy)`,
      from,
      segmentId,
      subject,
      html,
      text,
      topicId,
      replyTo,
    }
    return { id: (await createBroadcast(app, caller, copy)).id }
  }),
  shows('deleteBroadcast', 'DELETE /broadcasts/:id'),
]

async function createTheirs(app: App, caller: Caller, body: Static<typeof NewBroadcast>) {
  const { send = false, scheduled_at, from, ...given } = body
  const segmentId = given.segment_id ?? given.audience_id
  if (!segmentId) throw invalid('segmentId', 'is required')
  if (!given.html && !given.text) throw invalid('html` or `text', 'is required')
  if (scheduled_at && !send) throw invalid('scheduledAt', 'needs send to be true')
  const subject = ourText(given.subject)
  const name = given.name ?? nameFrom(theirText(subject))
  const fields = { ...fieldsOf(given), ...whenOf(app, { scheduled_at }), name, from, segmentId, subject }
  const { id } = await createBroadcast(app, caller, fields)
  if (send) await sendOrDelete(app, caller, id)
  return { id }
}

function nameFrom(subject: string): string {
  const visible = subject.replace(/\p{C}+/gu, ' ').trim()
  return firstCharacters(visible, 200) || 'Broadcast'
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

function whenOf(app: App, { scheduled_at }: Static<typeof SendOptions>) {
  return !scheduled_at ? {} : { scheduledAt: readTime(scheduled_at, app.clock.now()) }
}
