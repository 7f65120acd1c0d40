import type pg from 'pg'
import { fillTeams, type Team } from './fill-teams.ts'

/** A team without limits that pays from its credit, with its key and its sender. */
export type SmsTeam = Team & { senderId: string }

/** More credit than the messages cost. */
const creditUnits = 10 ** 12

/** Inserts teams with a plan and a verified sender into the real tables by SQL. */
export async function fillSmsTeams(pool: pg.Pool, count: number): Promise<SmsTeam[]> {
  const teams = await fillTeams(pool, count)
  const { rows } = await pool.query<{ id: string; senderId: string }>(insertSenders, [
    teams.map(({ id }) => id),
    creditUnits,
  ])
  const senders = new Map(rows.map(({ id, senderId }) => [id, senderId]))
  return teams.map((team) => ({ ...team, senderId: senders.get(team.id)! }))
}

const insertSenders = `
  with team as (
    select unnest($1::uuid[]) as id
  ), credit as (
    insert into sms_credit (team_id, balance_units, term) select id, $2, 1 from team
  ), entry as (
    insert into sms_ledger (team_id, kind, credit_units, overage_units, term, cause, created_at)
    select id, 'grant', $2, 0, 1, 'bench', now() from team
  )
  insert into sms_senders (team_id, id, name, sender_id, sender_type, status, default_message_type, country, created_at, updated_at)
  select id, gen_random_uuid(), 'Shop', 'SHOP', 'alphanumeric_id', 'active', 'transactional', 'US', now(), now() from team
  returning team_id as id, id as "senderId"
`
