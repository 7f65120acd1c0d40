import type pg from 'pg'
import { type Read, read } from './measure-reads.ts'
import type { BareServer } from './with-bare-server.ts'

const [byIdMin, listMin, p99MaxMs] = [0.9, 0.7, 10]

/** Reads of emails by the API, and the same rows from the bare server, whose lists have no totals. */
export async function emailReads(database: pg.Pool, teamId: string, bare: BareServer): Promise<Read[]> {
  const byId = await emailPaths(database, teamId)
  const from = (path: (turn: number) => string) => (turn: number) => read(bare.http, bare.key, path(turn))
  const common = { against: 'fastify, key and select', p99MaxMs }
  const list = (what: string, query: string, filter: string): Read => ({
    ...{
      ...common,
      what,
      path: () => `/v1/emails?${query}`,
      bare: from(() => `/v1/emails?${filter}`),
      ratioMin: listMin,
    },
  })
  return [
    { ...common, what: 'GET /v1/emails/{id}', path: byId, bare: from(byId), ratioMin: byIdMin },
    list('GET /v1/emails, status', 'status=bounced', 'status=bounced'),
    list('GET /v1/emails, status, rare word', 'status=delivered&search=zebra', 'status=delivered&subject=%25zebra%25'),
    list(
      'GET /v1/emails, status, common word',
      'status=delivered&search=order',
      'status=delivered&subject=%25order%25',
    ),
    list('GET /v1/emails, sender searched', 'search=billing%40', 'sender=%25billing%40%25'),
  ]
}

/** Returns the path of a filled email for each turn, in no order. */
export async function emailPaths(database: pg.Pool, teamId: string): Promise<(turn: number) => string> {
  const sample = 'select id from emails where team_id = $1 order by md5(id::text) limit 5000'
  const ids: string[] = (await database.query(sample, [teamId])).rows.map((row) => row.id)
  return (turn) => `/v1/emails/${ids[turn % ids.length]}`
}
