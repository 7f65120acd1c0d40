import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { isTestTeam, liveTeamOf } from '../../platform/mode/mode.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import type { MessageType } from '../table.ts'
import type { SmsSenderStatus } from './table.ts'

export const senderColumns = [
  'id',
  'name',
  'sender_id as senderId',
  'sender_type as senderType',
  'status',
  'default_message_type as defaultMessageType',
  'country',
  'provider_ref as providerRef',
  'rejection_reason as rejectionReason',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function findSender(db: Db, teamId: string, id: string) {
  return sendersOf(db, teamId).where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function listSenders(app: App, teamId: string, query: PageQuery) {
  return readPage(app, { list: 'sms senders', teamId }, query, sendersOf(app.db, teamId))
}

/** Finds a sender and locks it against other changes until the transaction ends. Messages can still be sent. */
export function lockSender(tx: Tx, teamId: string, id: string) {
  return sendersOf(tx.db, teamId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

function sendersOf(db: Db, teamId: string) {
  return db.selectFrom('sms_senders').select(senderColumns).where('team_id', '=', teamId)
}

/** The fields of a sender that sending needs. */
export type SendingSender = { id: string; name: string; status: SmsSenderStatus; defaultMessageType: MessageType }

/**
 * Locks senders of many teams in one statement, by `${teamId} ${id}`. They cannot be deleted until the transaction
 * ends, and count as used afterwards. For a test team a sender of the live team is found, and active.
 */
export async function lockSendingSenders(
  tx: Tx,
  wanted: { teamId: string; senderId: string }[],
): Promise<Map<string, SendingSender>> {
  const owned = wanted.map(({ teamId, senderId }) => ({ teamId: liveTeamOf(teamId), senderId }))
  const rows = await tx.send(sql<SendingSender & { teamId: string }>`
    select team_id as "teamId", id, name, status, default_message_type as "defaultMessageType" from sms_senders
    where (team_id, id) in (
      select * from ${rowsOf(owned, { teamId: 'uuid', senderId: 'uuid' }).as('wanted')}
    )
    order by team_id, id for key share
  `)
  const found = new Map(rows.map(({ teamId, ...sender }) => [`${teamId} ${sender.id}`, sender]))
  for (const { teamId, senderId } of wanted) {
    const sender = isTestTeam(teamId) ? found.get(`${liveTeamOf(teamId)} ${senderId}`) : undefined
    if (sender) found.set(`${teamId} ${senderId}`, { ...sender, status: 'active' })
  }
  return found
}

/** Returns the teams whose active senders have this number, in E.164 form or a short code. Searches all teams. */
export async function findTeamsOfNumber(db: Db, number: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sms_senders')
    .select('team_id')
    .where('sender_id', '=', number)
    .where('status', '=', 'active')
    .execute()
  return rows.map((row) => row.team_id)
}

/** Returns the team to which a number is assigned, whatever the state of its sender. */
export async function findOwnerOfNumber(db: Db, number: string): Promise<string | null> {
  const assigned = await db
    .selectFrom('number_assignments')
    .select('team_id')
    .where('channel', '=', 'sms')
    .where('number', '=', number)
    .executeTakeFirst()
  return assigned?.team_id ?? null
}
