import type pg from 'pg'
import type { Read } from './measure-reads.ts'

const columns = 'id, from_address, to_addresses, subject, status, domain_name, sent_at, created_at'
const page = 'order by id desc limit 21'

/** The selects without totals, HTTP and API keys, which are the fastest way to the same rows. */
export async function bareReads(database: pg.Pool, teamId: string): Promise<Read[]> {
  const sample = 'select id from emails where team_id = $1 order by md5(id::text) limit 5000'
  const ids: string[] = (await database.query(sample, [teamId])).rows.map((row) => row.id)
  const list = (what: string, name: string, query: string, where: string, values: unknown[]): Read => {
    const text = `select ${columns} from emails where team_id = $1 and ${where} ${page}`
    return {
      ...{ what, path: () => `/v1/emails?${query}` },
      select: async () => void (await database.query({ name, text, values: [teamId, ...values] })),
    }
  }
  const one: Read = {
    what: 'GET /v1/emails/{id}',
    path: (turn) => `/v1/emails/${ids[turn % ids.length]}`,
    select: async (turn) => void (await database.query({ ...findOne, values: [teamId, ids[turn % ids.length]] })),
  }
  return [
    one,
    list('GET /v1/emails, status', 'by-status', 'status=bounced', 'status = $2', ['bounced']),
    list(
      'GET /v1/emails, status, rare word',
      'rare',
      'status=delivered&search=zebra',
      'status = $2 and subject ilike $3',
      ['delivered', '%zebra%'],
    ),
    list(
      'GET /v1/emails, status, common word',
      'common',
      'status=delivered&search=order',
      'status = $2 and subject ilike $3',
      ['delivered', '%order%'],
    ),
    list('GET /v1/emails, sender searched', 'sender', 'search=billing%40', 'from_address ilike $2', ['%billing@%']),
  ]
}

const findOne = {
  name: 'find-one',
  text: `
    select email.id, from_address, to_addresses, cc_addresses, bcc_addresses, subject, content.html, content.text, status,
      scheduled_at, created_at
    from emails as email
    join email_contents as content on content.team_id = email.team_id and content.email_id = email.id
    where email.team_id = $1 and email.id = $2
  `,
}
