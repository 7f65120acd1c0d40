import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
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
  return db
    .selectFrom('whatsapp_senders')
    .select(senderColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. */
export function listSendersOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('whatsapp_senders').select(senderColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'whatsapp senders', teamId }, query, rows)
}

export type SendingSender = {
  teamId: string
  id: string
  phoneNumber: string
  phoneNumberId: string | null
  wabaId: string | null
  status: WhatsappSenderStatus
}

/** Finds senders by team and id. They cannot be deleted before the transaction ends. */
export async function lockSenders(tx: Tx, wanted: { teamId: string; id: string }[]): Promise<SendingSender[]> {
  const { rows } = await sql<SendingSender>`
    select sender.team_id as "teamId", sender.id, phone_number as "phoneNumber", phone_number_id as "phoneNumberId",
      waba_id as "wabaId", status
    from ${rowsOf(wanted, { teamId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_senders as sender on sender.team_id = wanted.team_id and sender.id = wanted.id
    for key share of sender
  `.execute(tx.db)
  return rows
}

export type ReceivingSender = { teamId: string; id: string; phoneNumber: string; phoneNumberId: string }

/** Finds the active senders with these phoneNumberIds, of all teams, at most one each. The lock prevents their deletion. */
export async function lockReceivingSenders(tx: Tx, phoneNumberIds: string[]): Promise<ReceivingSender[]> {
  const { rows } = await sql<ReceivingSender>`
    select team_id as "teamId", id, phone_number as "phoneNumber", phone_number_id as "phoneNumberId"
    from whatsapp_senders where phone_number_id = any(${phoneNumberIds}::text[]) and status = 'active'
    for key share
  `.execute(tx.db)
  return rows
}

/** Returns the account that reviews a team's templates: its oldest active sender's. Undefined without an active sender. */
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
