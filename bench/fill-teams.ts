import type pg from 'pg'
import { generateKey, hashKey } from '../src/api-keys/key.ts'

export type Team = { id: string; key: string }

const plenty = 999_999_999

/** Inserts teams without limits into the real tables by SQL, each with a full_access key. */
export async function fillTeams(pool: pg.Pool, count: number): Promise<Team[]> {
  const limits = { apiRequestsPerMinute: plenty, dailySmsLimit: plenty, dailySmsSpendLimit: plenty }
  const { rows } = await pool.query<{ id: string }>(insertTeams, [count, JSON.stringify(limits)])
  const teams = rows.map(({ id }) => ({ id, key: generateKey() }))
  await pool.query(insertKeys, [teams.map(({ id }) => id), teams.map(({ key }) => hashKey(key))])
  return teams
}

const insertTeams = `
  insert into teams (id, name, plan, limit_overrides, created_at)
  select gen_random_uuid(), 'Hot', 'enterprise', $2, now() from generate_series(1, $1::int) returning id
`

const insertKeys = `
  insert into api_keys (team_id, id, name, key_hash, key_prefix, permission, created_at)
  select team_id, gen_random_uuid(), 'bench', key_hash, 'ph_bench', 'full_access', now()
  from unnest($1::uuid[], $2::bytea[]) as new (team_id, key_hash)
`
