import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { isTestTeam, liveTeamOf } from '../../platform/mode/mode.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import type { WhatsappSenderStatus } from './table.ts'

export const senderColumns = [
  'id',
  'name',
  'phone_number as phoneNumber',
  'display_name as displayName',
  'status',
  'phone_number_id as phoneNumberId',
  'waba_id as wabaId',
  'rejection_reason as rejectionReason',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function findSender(db: Db, teamId: string, id: string) {
  return sendersOf(db, teamId).where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function listSenders(app: App, teamId: string, query: PageQuery) {
  return readPage(app, { list: 'whatsapp senders', teamId }, query, sendersOf(app.db, teamId))
}

function sendersOf(db: Db, teamId: string) {
  return db.selectFrom('whatsapp_senders').select(senderColumns).where('team_id', '=', teamId)
}

export type SendingSender = {
  teamId: string
  id: string
  phoneNumber: string
  phoneNumberId: string | null
  wabaId: string | null
  status: WhatsappSenderStatus
}

/**
 * Locks senders of many teams in one statement, by `${teamId} ${id}`. They cannot be deleted until the transaction
 * ends. For a test team a sender of the live team is found, and active.
 */
export async function lockSendingSenders(
  tx: Tx,
  wanted: { teamId: string; id: string }[],
): Promise<Map<string, SendingSender>> {
  const owned = wanted.map((sender) => ({ ...sender, ownerId: liveTeamOf(sender.teamId) }))
  const { rows } = await sql<SendingSender>`
    select wanted.team_id as "teamId", sender.id, phone_number as "phoneNumber", phone_number_id as "phoneNumberId",
      waba_id as "wabaId", status
    from ${rowsOf(owned, { teamId: 'uuid', ownerId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_senders as sender on sender.team_id = wanted.owner_id and sender.id = wanted.id
    for key share of sender
  `.execute(tx.db)
  const ofTest = rows.filter(({ teamId }) => isTestTeam(teamId))
  await keepTestSenders(tx, ofTest)
  return new Map(
    rows.map((sender) => {
      const { teamId, id } = sender
      return [`${teamId} ${id}`, isTestTeam(teamId) ? { ...sender, status: 'active' } : sender]
    }),
  )
}

/**
 * Copies senders to the test team, because its conversations refer to a row of their own team. A copy never sends, and
 * has no number.
 */
async function keepTestSenders(tx: Tx, senders: { teamId: string; id: string }[]): Promise<void> {
  if (senders.length === 0) return
  const owned = senders.map(({ teamId, id }) => ({ teamId, ownerId: liveTeamOf(teamId), id }))
  await sql`
    insert into whatsapp_senders (team_id, id, name, phone_number, status, created_at, updated_at)
    select wanted.team_id, sender.id, sender.name, sender.id::text, 'not_started', ${tx.now}, ${tx.now}
    from ${rowsOf(owned, { teamId: 'uuid', ownerId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_senders as sender on sender.team_id = wanted.owner_id and sender.id = wanted.id
    order by 1, 2
    on conflict (team_id, id) do nothing
  `.execute(tx.db)
}

export type ReceivingSender = { teamId: string; id: string; phoneNumber: string; phoneNumberId: string }

/**
 * Finds the active senders with these phoneNumberIds, of all teams, at most one each. The lock prevents their deletion.
 */
export async function lockReceivingSenders(tx: Tx, phoneNumberIds: string[]): Promise<ReceivingSender[]> {
  const { rows } = await sql<ReceivingSender>`
    select team_id as "teamId", id, phone_number as "phoneNumber", phone_number_id as "phoneNumberId"
    from whatsapp_senders where phone_number_id = any(${phoneNumberIds}::text[]) and status = 'active'
    for key share
  `.execute(tx.db)
  return rows
}

/**
 * Finds the senders whose customers' choices about these phoneNumberIds count: the active ones, and those of the team
 * that owns the number in any state, because they may send again later. The lock prevents their deletion.
 */
export async function lockChosenSenders(
  tx: Tx,
  phoneNumberIds: string[],
): Promise<Pick<ReceivingSender, 'teamId' | 'id' | 'phoneNumberId'>[]> {
  const { rows } = await sql<ReceivingSender>`
    select team_id as "teamId", id, phone_number_id as "phoneNumberId" from whatsapp_senders as sender
    where (team_id, id) in (
      select team_id, id from whatsapp_senders
      where phone_number_id = any(${phoneNumberIds}::text[]) and status = 'active'
      union
      select owned.team_id, owned.id from number_assignments as assigned
      join whatsapp_senders as owned on owned.team_id = assigned.team_id and owned.phone_number_id = assigned.number
      where assigned.channel = 'whatsapp' and assigned.number = any(${phoneNumberIds}::text[])
    )
    for key share of sender
  `.execute(tx.db)
  return rows
}

/**
 * Finds the senders of the live team that have these phoneNumberIds, as senders of its test team. There, all are
 * active.
 */
export async function lockTestReceivers(
  tx: Tx,
  wanted: { teamId: string; phoneNumberId: string }[],
): Promise<ReceivingSender[]> {
  if (wanted.length === 0) return []
  const owned = wanted.map((sender) => ({ ...sender, ownerId: liveTeamOf(sender.teamId) }))
  const { rows } = await sql<ReceivingSender>`
    select distinct on (wanted.team_id, sender.phone_number_id) wanted.team_id as "teamId", sender.id,
      sender.phone_number as "phoneNumber", sender.phone_number_id as "phoneNumberId"
    from ${rowsOf(owned, { teamId: 'uuid', ownerId: 'uuid', phoneNumberId: 'text' }).as('wanted')}
    join whatsapp_senders as sender
      on sender.team_id = wanted.owner_id and sender.phone_number_id = wanted.phone_number_id
    order by wanted.team_id, sender.phone_number_id, sender.id
  `.execute(tx.db)
  const held = await lockSendingSenders(tx, rows)
  return rows.filter(({ teamId, id }) => held.has(`${teamId} ${id}`))
}

/**
 * Returns the account that reviews a team's templates: its oldest active sender's. Undefined without an active sender.
 */
export function findReviewingAccount(db: Db, teamId: string) {
  return db
    .selectFrom('whatsapp_senders')
    .select('waba_id as wabaId')
    .where('team_id', '=', teamId)
    .where('status', '=', 'active')
    .where('waba_id', 'is not', null)
    .orderBy('id')
    .executeTakeFirst()
}
