import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Pool } from 'undici'
import type { Parts } from './with-posthorn.ts'

export type BareServer = { http: Pool; key: string }

/** Runs `work` with `bare-server.ts` in a process of its own, on the database of ours, with `connections` to it. */
export async function withBareServer<T>(
  { database, connection, teamId }: Parts,
  connections: number,
  work: (bare: BareServer) => Promise<T>,
): Promise<T> {
  const key = randomBytes(16).toString('hex')
  await database.query(tables)
  const hash = createHash('sha256').update(key).digest()
  await database.query('insert into bare_keys (hash, team_id) values ($1, $2)', [hash, teamId])
  const env = { ...process.env, BENCH_CONNECTION: JSON.stringify(connection) }
  const child = fork(new URL('bare-server.ts', import.meta.url), { execArgv: [], env })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const http = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  try {
    return await work({ http, key })
  } finally {
    await http.close()
    child.disconnect()
  }
}

const tables = `
  create table bare_keys (hash bytea primary key, team_id uuid not null);
  create table bare_emails (
    id uuid primary key, team_id uuid not null, from_address text not null, to_addresses text[] not null,
    subject text not null, html text, text text, created_at timestamptz not null
  )
`
