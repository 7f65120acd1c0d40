import type pg from 'pg'
import { rateOfZone } from '../src/billing/rate-card.ts'

/** Makes tables with the same columns and indexes as ours, without foreign keys. */
export async function makeBareTables(database: pg.Pool): Promise<void> {
  for (const table of ['sms_usage', 'sms_credit', 'sms_ledger', 'sms_messages']) {
    await database.query(`create table bare_${table} (like ${table} including all)`)
  }
}

export async function fillBareTeams(database: pg.Pool, teamIds: string[]): Promise<void> {
  await database.query(`insert into bare_sms_usage select unnest($1::uuid[]), current_date, 0, 0`, [teamIds])
  await database.query(
    `insert into bare_sms_credit (team_id, balance_units, term) select unnest($1::uuid[]), 1e12, 1`,
    [teamIds],
  )
}

const units = rateOfZone(1)
const limit = 999_999_999

/** Does the minimum for a message: the day's limits, the credit, its entry and the message, in one commit. */
export async function bareSend(
  database: pg.Pool,
  teamId: string,
  message: { to: string; body: string },
): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    await one(client, 'bare-usage', takeUsage, [teamId, units, limit, limit * 10_000])
    await one(client, 'bare-credit', takeCredit, [teamId, units])
    const { id } = await one(client, 'bare-message', insertMessage, [teamId, message.to, message.body, units])
    await one(client, 'bare-entry', insertEntry, [teamId, id, units])
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function one(client: pg.PoolClient, name: string, text: string, values: unknown[]): Promise<{ id: string }> {
  const { rows } = await client.query({ name, text, values })
  if (rows.length !== 1) throw new Error(`${name} gave ${rows.length} rows.`)
  return rows[0]
}

const takeUsage = `
  update bare_sms_usage set messages_today = messages_today + 1, spend_units_today = spend_units_today + $2
  where team_id = $1 and messages_today + 1 <= $3 and spend_units_today + $2 <= $4 returning team_id
`
const takeCredit = `
  update bare_sms_credit set balance_units = balance_units - $2 where team_id = $1 and balance_units >= $2 returning team_id
`
const insertMessage = `
  insert into bare_sms_messages (team_id, id, sender_id, sender_name, to_number, body, message_type, status, segments, zone,
    price_units, charged_day, billable, sent_at, created_at)
  values ($1, uuidv7(), $1, 'Shop', $2, $3, 'transactional', 'sent', 1, 1, $4, current_date, true, now(), now()) returning id
`
const insertEntry = `
  insert into bare_sms_ledger (team_id, kind, credit_units, overage_units, message_id, zone, term, created_at)
  values ($1, 'debit', -$3::bigint, 0, $2, 1, 1, now()) returning id
`
