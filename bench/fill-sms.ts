import type pg from 'pg'
import { generateKey, hashKey } from '../src/api-keys/key.ts'

/** A team that may send as much as it likes, paid from its credit: its key and its sender. */
export type SmsTeam = { id: string; key: string; senderId: string }

/** What never runs out. */
const plenty = 999_999_999
const creditUnits = 10 ** 12

/** Teams as signing up, a plan, a sender and its verification make them, by SQL through the real tables. */
export async function fillSmsTeams(pool: pg.Pool, count: number): Promise<SmsTeam[]> {
  const { rows } = await pool.query<{ id: string; senderId: string }>(insertTeams, [count, limits(), creditUnits])
  const teams = rows.map((row) => ({ ...row, key: generateKey() }))
  await pool.query(insertKeys, [teams.map(({ id }) => id), teams.map(({ key }) => hashKey(key))])
  return teams
}

function limits(): string {
  return JSON.stringify({ apiRequestsPerMinute: plenty, dailySmsLimit: plenty, dailySmsSpendLimit: plenty })
}

const insertTeams = `
  with team as (
    insert into teams (id, name, plan, limit_overrides, created_at)
    select gen_random_uuid(), 'Hot', 'enterprise', $2, now() from generate_series(1, $1::int) returning id
  ), credit as (
    insert into sms_credit (team_id, balance_units, term) select id, $3, 1 from team
  ), entry as (
    insert into sms_ledger (team_id, kind, credit_units, overage_units, term, cause, created_at)
    select id, 'grant', $3, 0, 1, 'bench', now() from team
  )
  insert into sms_senders (team_id, id, name, sender_id, sender_type, status, default_message_type, country, created_at, updated_at)
  select id, gen_random_uuid(), 'Shop', 'SHOP', 'alphanumeric_id', 'active', 'transactional', 'US', now(), now() from team
  returning team_id as id, id as "senderId"
`

const insertKeys = `
  insert into api_keys (team_id, id, name, key_hash, key_prefix, permission, created_at)
  select team_id, gen_random_uuid(), 'bench', key_hash, 'ph_bench', 'full_access', now()
  from unnest($1::uuid[], $2::bytea[]) as new (team_id, key_hash)
`
