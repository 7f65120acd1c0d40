import { sql } from 'kysely'
import { isTestTeam, modeOf } from '../platform/mode/mode.ts'
import { ask, type Reader } from '../platform/sql/ask.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import type { Told } from './payload.ts'

type Row = {
  teamId: string
  id: string
  messageId: string
  from: string
  to: string[]
  subject: string
  tags: Record<string, unknown> | null
  createdAt: Date
  broadcastId: string | null
}

/**
 * Serializes payloads in the form of Resend's webhooks, in the order of events. An email that is gone has its id alone.
 */
export async function resendPayloads(reader: Reader, events: Told[]): Promise<string[]> {
  if (events.length === 0) return []
  const wanted = events.map(({ teamId, data }) => ({ teamId, id: data.emailId }))
  const rows = await ask(
    reader,
    sql<Row>`
      select email.team_id as "teamId", email.id, message_id as "messageId", from_address as "from",
        to_addresses as "to", subject, tags, created_at as "createdAt", (
          select broadcast_id from broadcast_recipients where team_id = email.team_id and email_id = email.id limit 1
        ) as "broadcastId"
      from (select distinct * from ${rowsOf(wanted, { teamId: 'uuid', id: 'uuid' }).as('given')}) as wanted
      join emails as email on email.team_id = wanted.team_id and email.id = wanted.id
    `,
  )
  const found = new Map(rows.map((row) => [`${row.teamId} ${row.id}`, row]))
  return events.map(({ type, teamId, at, data }) =>
    JSON.stringify({
      type,
      ...(isTestTeam(teamId) && { mode: modeOf(teamId) }),
      created_at: at.toISOString(),
      data: resendData(data, found.get(`${teamId} ${data.emailId}`)),
    }),
  )
}

function resendData({ emailId, details }: Told['data'], row: Row | undefined) {
  const { bounce, click } = (details ?? {}) as { bounce?: Bounce; click?: Record<string, unknown> }
  const tags = Object.entries(row?.tags ?? {}).map(([name, value]) => [name, String(value)])
  return {
    email_id: emailId,
    ...(row && {
      ...{ created_at: row.createdAt.toISOString(), message_id: row.messageId },
      ...{ from: row.from, to: row.to, subject: row.subject },
      ...(row.broadcastId && { broadcast_id: row.broadcastId }),
      ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
    }),
    ...(bounce && { bounce: resendBounce(bounce) }),
    ...(click && {
      click: { ipAddress: click.ipAddress, link: click.link, timestamp: click.timestamp, userAgent: click.userAgent },
    }),
  }
}

type Bounce = {
  bounceType?: string
  bounceSubType?: string
  bouncedRecipients?: { diagnosticCode?: string }[]
}

function resendBounce({ bounceType = 'Undetermined', bounceSubType = 'General', bouncedRecipients = [] }: Bounce) {
  const message = bouncedRecipients.find(({ diagnosticCode }) => diagnosticCode)?.diagnosticCode
  return { message: message ?? 'The recipient’s host refused the email.', subType: bounceSubType, type: bounceType }
}
