import { type RawBuilder, sql } from 'kysely'
import type { App, Caller } from '../context.ts'
import { domainSeenBy, getEmailBounded } from '../emails/get.ts'
import { matches } from '../emails/list/selection.ts'
import { formatMailbox, splitMailboxes } from '../emails/mailbox.ts'
import { type GivenEmail, parseEmail, renderCommand } from '../emails/messages/accept/parse.ts'
import { rescheduleEmail } from '../emails/messages/reschedule.ts'
import { sendOnce } from '../emails/messages/send.ts'
import { hidesSystemMail } from '../emails/system-mail.ts'
import { invalid } from '../platform/errors.ts'
import { teamBodiesOf } from '../platform/http/body/read-body.ts'
import type { Route } from '../platform/http/route.ts'
import { requestKey } from '../platform/idempotency/keys.ts'
import { bytesOf } from '../platform/pagination.ts'
import { readAttachments, withFiles } from './attachments.ts'
import { addressesIn, EmailBody, RescheduleBody, readEmailBody } from './email-body.ts'
import { writeExtras } from './extras.ts'
import { readRow, readRows } from './pages.ts'
import { like, lists, rowsOf } from './route-like.ts'
import { type FilledEmail, filledByTemplate } from './templates.ts'
import { readTime } from './times.ts'
import { refuseOptedOut } from './topics.ts'

type Row = {
  id: string
  reply_to: string | null
  scheduled_at: Date | null
  status: string
  newest: string | null
  topic_id: string | null
}

/** Selects emails without their bodies and tags. */
function emailsWhere(isWanted: RawBuilder<unknown>) {
  return sql<Row>`
    select id, message_id, from_address as "from", to_addresses as "to", subject, cc_addresses as cc,
      bcc_addresses as bcc, reply_to, created_at, scheduled_at, status, (
        select type from email_events as event where event.team_id = email.team_id and event.email_id = email.id
        order by event.id desc limit 1
      ) as newest, (
        select extra->>'topicId' from resend_extras as extras where extras.team_id = email.team_id and extras.id = email.id
      ) as topic_id
    from emails as email where ${isWanted}
  `
}

function theirEmail({ status, newest, topic_id, ...row }: Row) {
  const reply_to = row.reply_to === null ? null : splitMailboxes(row.reply_to).map(formatMailbox)
  return { ...row, reply_to, last_event: lastEvent(status, newest, row.scheduled_at), topic_id }
}

function lastEvent(status: string, newest: string | null, scheduledAt: Date | null): string {
  if (status === 'cancelled') return 'canceled'
  if (newest && newest !== 'outcome_unknown') return newest
  if (status === 'scheduled') return scheduledAt ? 'scheduled' : 'queued'
  return status === 'delayed' ? 'delivery_delayed' : status
}

const { shows, does } = rowsOf('email')

export const theirEmailRoutes: Route[] = [
  like('sendEmail', 'POST /emails', EmailBody, ({ app, caller, body, idempotencyKey }) =>
    sendTheirs(app, caller, readEmailBody(body), idempotencyKey),
  ),
  lists('listEmails', '/emails', theirEmail, ({ app, caller, teamId, query }) => {
    const seen = { domainId: domainSeenBy(caller), hidesSystem: hidesSystemMail(app, caller) }
    const isListed = matches({ teamId, ...seen, status: null, isRareStatus: false }, null)
    return readRows(app, teamId, query, emailsWhere(isListed), { bytes: bytesOf('from', 'to', 'subject') })
  }),
  shows('getEmail', 'GET /emails/:id', async ({ app, caller, teamId, id, bounded }) => {
    const { html, text, tags } = await getEmailBounded(app, caller, id, bounded)
    const row = await readRow(app.db, 'email', emailsWhere(sql`team_id = ${teamId} and id = ${id}`))
    const named = Object.entries(tags ?? {}).map(([name, value]) => ({ name, value: String(value) }))
    return { ...theirEmail(row), html, text, tags: named }
  }),
  does('rescheduleEmail', 'PATCH /emails/:id', RescheduleBody, ({ app, caller, id, body }) =>
    rescheduleEmail(app, caller, id, readTime(body.scheduled_at, app.clock.now())),
  ),
  does('cancelEmail', 'POST /emails/:id/cancel'),
]

async function sendTheirs(app: App, caller: Caller, body: EmailBody, key: string | null) {
  const { teamId } = caller
  const now = app.clock.now()
  const filled = await filledByTemplate(app.db, teamId, body)
  // As it was given: a repeat finds other times and perhaps another template.
  const asGiven = requestKey(teamId, endpointFor(caller, 'POST /resend/emails'), key, body)
  const attached = body.attachments ?? []
  // Holds what is fetched until the email is handed over, also if the client has gone.
  const lease = teamBodiesOf(app).lease(teamId)
  const { id } = await sendOnce(app, caller, filled.from ?? null, asGiven, async () => {
    const email = emailOf(filled, now)
    const parsed = parseEmail({ ...email, attachments: readAttachments(attached) }, now)
    await refuseOptedOut(app.db, teamId, email, body.topic_id)
    const command = await renderCommand(app.db, teamId, email, parsed)
    return withFiles(app, command, { caller, given: attached, lease })
  }).finally(lease.end)
  await noteTopic(app, teamId, id, body.topic_id)
  return { id }
}

/** Their email as ours, without attachments. Throws `invalid` for what only Resend requires. */
export function emailOf(body: FilledEmail, now: Date): GivenEmail {
  const { from, to, subject, html, text, cc, bcc, reply_to, scheduled_at, headers, tags, template } = body
  if (from === undefined) throw invalid('from', 'is required')
  if (subject === undefined) throw invalid('subject', 'is required')
  if (to.length === 0) throw invalid('to', 'must have at least one address')
  if (!template && !html && !text) throw invalid('html` or `text', 'is required')
  if (template && (html || text)) throw invalid('template', 'cannot be used together with html or text')
  // Its placeholder would be sent as it is written.
  if (body.missing !== undefined) throw invalid(`template.variables.${body.missing}`, 'is required')
  return {
    ...{ from, to: [to].flat(), subject, html, text, headers },
    ...{ cc: addressesIn(cc), bcc: addressesIn(bcc), replyTo: addressesIn(reply_to) },
    scheduledAt: scheduled_at && readTime(scheduled_at, now),
    tags: tags && Object.fromEntries(tags.map(({ name, value }) => [name, value])),
    templateId: template?.id,
    templateVariables: template?.variables,
  }
}

/** The sender may be known only after the look-up of the key, so a key of one domain must not find those of others. */
export function endpointFor({ domainId }: Caller, endpoint: string): string {
  return domainId === null ? endpoint : `${endpoint} ${domainId}`
}

/** Keeps the topic, which Resend shows with the email. The email is sent by now, so a failure must not refuse it. */
export async function noteTopic(app: App, teamId: string, id: string, topicId: string | null | undefined) {
  if (!topicId) return
  await app
    .transaction((tx) => writeExtras(tx, { teamId, id, noun: 'email', extra: { topicId } }))
    .catch((error) => app.log.error({ err: error, email: id }, 'the topic of an email could not be kept'))
}
