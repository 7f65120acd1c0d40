import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { App, Caller } from '../context.ts'
import { domainSeenBy, readEmail } from '../emails/get.ts'
import { listEmails } from '../emails/list/list.ts'
import { formatMailbox, splitMailboxes } from '../emails/mailbox.ts'
import { type GivenEmail, parseEmail } from '../emails/messages/accept/parse.ts'
import { renderCommand } from '../emails/messages/accept/render.ts'
import { cancelEmail } from '../emails/messages/cancel.ts'
import { rescheduleEmail } from '../emails/messages/reschedule.ts'
import { sendOnce } from '../emails/messages/send.ts'
import { hidesSystemMail } from '../emails/system-mail.ts'
import { invalid } from '../platform/errors.ts'
import type { Bounded } from '../platform/http/route.ts'
import { requestKey } from '../platform/idempotency/keys.ts'
import { readAttachments } from './attachments.ts'
import type { EmailBody, RescheduleBody } from './email-body.ts'
import { findExtras, writeExtras } from './extras.ts'
import { filledByTemplate } from './filled-by-template.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso, readTime } from './times.ts'
import { refuseOptedOut } from './topics.ts'

/** Their email as ours, without attachments. Throws `invalid` for what only Resend requires. */
export function emailOf(body: EmailBody, now: Date): GivenEmail {
  const { from, to, subject, html, text, cc, bcc, reply_to, scheduled_at, headers, tags, template } = body
  if (from === undefined) throw invalid('from', 'is required')
  if (subject === undefined) throw invalid('subject', 'is required')
  if (to.length === 0) throw invalid('to', 'must have at least one address')
  if (!template && !html && !text) throw invalid('html` or `text', 'is required')
  if (template && (html || text)) throw invalid('template', 'cannot be used together with html or text')
  return {
    from,
    to: [to].flat(),
    subject,
    ...(html && { html }),
    ...(text && { text }),
    ...(cc && { cc: [cc].flat() }),
    ...(bcc && { bcc: [bcc].flat() }),
    ...(reply_to && { replyTo: [reply_to].flat() }),
    ...(scheduled_at !== undefined && { scheduledAt: readTime(scheduled_at, now) }),
    ...(headers && { headers }),
    ...(tags && { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) }),
    ...(template && { templateId: template.id }),
    ...(template?.variables && { templateVariables: template.variables }),
  }
}

export async function sendTheirEmail(app: App, caller: Caller, { body, key }: { body: EmailBody; key: string | null }) {
  const now = app.clock.now()
  const filled = await filledByTemplate(app.db, caller.teamId, body)
  // As it was given: a repeat finds other times and perhaps another template.
  const asGiven = requestKey(caller.teamId, endpointFor(caller, 'POST /resend/emails'), key, body)
  const sent = await sendOnce(app, caller, filled.from ?? null, asGiven, async () => {
    const email = emailOf(filled, now)
    await refuseOptedOut(app.db, caller.teamId, email, body.topic_id)
    const attachments = await readAttachments(app, caller.teamId, body.attachments ?? [])
    const command = parseEmail({ ...email, ...(attachments.length > 0 && { attachments }) }, now)
    return renderCommand(app.db, caller.teamId, email, command)
  })
  await noteTopic(app, caller.teamId, sent.id, body.topic_id)
  return { id: sent.id }
}

/** The sender may be known only after the look-up of the key, so a key of one domain must not find those of others. */
export function endpointFor({ domainId }: Caller, endpoint: string): string {
  return domainId === null ? endpoint : `${endpoint} ${domainId}`
}

/** Keeps the topic, which Resend shows with the email. The email is sent by now, so a failure must not refuse it. */
export async function noteTopic(app: App, teamId: string, id: string, topicId: string | null | undefined) {
  if (!topicId) return
  await writeExtras(app, { teamId, id, noun: 'email', extra: { topicId } }).catch((error) =>
    app.log.error({ err: error, email: id }, 'the topic of an email could not be kept'),
  )
}

type Listed = { id: string; from: string; to: string[]; subject: string; createdAt: Date }
type More = {
  id: string
  messageId: string
  cc: string[] | null
  bcc: string[] | null
  replyTo: string | null
  scheduledAt: Date | null
  status: string
  newest: string | null
}

/** Our email as theirs, without its bodies and tags. */
export function theirEmail({ id, from, to, subject, createdAt }: Listed, more: More, topicId: string | null) {
  return {
    ...{ id, message_id: more.messageId, from, to, subject, cc: more.cc, bcc: more.bcc },
    reply_to: more.replyTo === null ? null : splitMailboxes(more.replyTo).map(formatMailbox),
    ...{ created_at: iso(createdAt), scheduled_at: iso(more.scheduledAt), last_event: lastEvent(more) },
    topic_id: topicId,
  }
}

function lastEvent({ status, newest, scheduledAt }: More): string {
  if (status === 'cancelled') return 'canceled'
  if (newest && newest !== 'outcome_unknown') return newest
  if (status === 'scheduled') return scheduledAt ? 'scheduled' : 'queued'
  return status === 'delayed' ? 'delivery_delayed' : status
}

async function findMore(app: App, teamId: string, ids: string[]) {
  const { rows } = await sql<More>`
    select id, message_id as "messageId", cc_addresses as "cc", bcc_addresses as "bcc", reply_to as "replyTo",
      scheduled_at as "scheduledAt", status, (
        select type from email_events as event where event.team_id = email.team_id and event.email_id = email.id
        order by event.id desc limit 1
      ) as newest
    from emails as email where team_id = ${teamId} and id = any(${ids}::uuid[])
  `.execute(app.db)
  const extras = await findExtras<{ topicId: string }>(app.db, [teamId], ids)
  return new Map(rows.map((row) => [row.id, { row, topicId: extras.get(row.id)?.extra.topicId ?? null }]))
}

export async function getTheirEmail(app: App, caller: Caller, { id, bounded }: { id: string; bounded: Bounded }) {
  const email = await readEmail(app, caller, id, bounded)
  const { row, topicId } = (await findMore(app, caller.teamId, [email.id])).get(email.id)!
  const tags = Object.entries(email.tags ?? {}).map(([name, value]) => ({ name, value: String(value) }))
  return { object: 'email', ...theirEmail(email, row, topicId), html: email.html, text: email.text, tags }
}

export async function listTheirEmails(app: App, caller: Caller, { query }: { query: PageQuery }) {
  const seen = domainSeenBy(caller)
  const ids = sql`
    select id from emails where team_id = ${caller.teamId} ${seen === null ? sql`` : sql`and domain_id = ${seen}`}
      ${hidesSystemMail(app, caller) ? sql`and not system` : sql``}
  `
  const page = await readTheirPage(app, query, ids, (ours) => listEmails(app, caller, ours))
  const more = await findMore(
    app,
    caller.teamId,
    page.data.map(({ id }) => id),
  )
  const shown = page.data.flatMap((email) => {
    const found = more.get(email.id)
    return found ? theirEmail(email, found.row, found.topicId) : []
  })
  return listOf(shown, page.hasMore)
}

export async function rescheduleTheirEmail(
  app: App,
  caller: Caller,
  { id, body }: { id: string; body: Static<typeof RescheduleBody> },
) {
  await rescheduleEmail(app, caller, id, readTime(body.scheduled_at, app.clock.now()))
  return { object: 'email', id }
}

export async function cancelTheirEmail(app: App, caller: Caller, { id }: { id: string }) {
  await cancelEmail(app, caller, id)
  return { object: 'email', id }
}
