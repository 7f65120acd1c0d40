import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import { nilId } from '../platform/ids.ts'
import { isTestTeam, liveTeamOf } from '../platform/mode/mode.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { ask, type Reader } from '../platform/sql/ask.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import type { DkimSelector, DomainStatus } from './table.ts'

/** A domain as sending needs it. Only a verified one may send. */
export type SendingDomain = {
  teamId: string
  id: string
  name: string
  status: DomainStatus
  region: string
  tls: 'opportunistic' | 'enforced'
  clickTracking: boolean
  openTracking: boolean
  /** True if the tracking subdomain leads to this installation. */
  isTrackingVerified: boolean
  /** The full name of the envelope sender's domain. */
  returnPath: string
  /** Encrypted; `signingKeyOf` decrypts it. */
  dkimPrivateKey: string
  dkimSelector: DkimSelector
}

/**
 * Finds domains of many teams in one statement, verified or not. For a test team every name is found, and verified.
 * `name` is in lower case and punycode. With `lock` they cannot be deleted before the transaction ends; the transaction
 * that inserts an email needs it, so that the email keeps its domain.
 */
export async function findSendingDomains(
  reader: Reader,
  wanted: { teamId: string; name: string }[],
  { lock }: { lock: boolean },
): Promise<SendingDomain[]> {
  const owned = wanted.map(({ teamId, name }) => ({ teamId: liveTeamOf(teamId), name }))
  const statement = sql<SendingDomain>`
    select team_id as "teamId", id, name, status, region, tls, click_tracking as "clickTracking",
      open_tracking as "openTracking", coalesce(record_statuses->>'tracking' = 'verified', false) as "isTrackingVerified",
      return_path as "returnPath", dkim_private_key as "dkimPrivateKey",
      dkim_selector as "dkimSelector"
    from domains
    where (team_id, name) in (select * from ${rowsOf(owned, { teamId: 'uuid', name: 'text' }).as('wanted')})
    ${lock ? sql`for key share` : sql``}
  `
  const rows = await ask(reader, statement)
  const inTest = wanted.filter(({ teamId }) => isTestTeam(teamId))
  if (inTest.length === 0) return rows
  const inLive = new Set(wanted.map(({ teamId, name }) => `${teamId} ${name}`))
  return [...rows.filter(({ teamId, name }) => inLive.has(`${teamId} ${name}`)), ...testDomains(rows, inTest)]
}

/**
 * Returns the domains for mail of test keys, which may be from any domain: the team's own where it has it, verified or
 * not.
 */
function testDomains(own: SendingDomain[], wanted: { teamId: string; name: string }[]): SendingDomain[] {
  const byName = new Map(own.map((domain) => [`${domain.teamId} ${domain.name}`, domain]))
  return wanted.map(({ teamId, name }) => {
    const domain = byName.get(`${liveTeamOf(teamId)} ${name}`) ?? { ...anyDomain, name, returnPath: `bounces.${name}` }
    return { ...domain, teamId, status: 'verified' }
  })
}

/** The settings of a domain that the team does not have. Its mail is not signed. */
const anyDomain = {
  id: nilId,
  region: '',
  tls: 'opportunistic',
  clickTracking: false,
  openTracking: false,
  isTrackingVerified: false,
  dkimPrivateKey: '',
  dkimSelector: 'posthorn',
} as const

/** All columns that answers and checks need, without the private key. */
export const domainColumns = [
  'team_id',
  'id',
  'name',
  'status',
  'region',
  'click_tracking',
  'open_tracking',
  'tls',
  'custom_return_path',
  'return_path',
  'dkim_public_key',
  'dkim_selector',
  'dkim_next_public_key',
  'dkim_old_public_key',
  'dkim_old_until',
  'record_statuses',
  'first_checked_at',
  'records_missing_since',
  'checks_begun',
  'check_recorded',
  'created_at',
  'updated_at',
] as const

export type DomainRow = NonNullable<Awaited<ReturnType<typeof findDomain>>>

export function findDomain(db: Db, teamId: string, id: string) {
  return domainQuery(db, teamId, id).executeTakeFirst()
}

/** Finds and locks a domain against changes. Emails can still be accepted. */
export function lockDomain(tx: Tx, teamId: string, id: string) {
  return domainQuery(tx.db, teamId, id).forNoKeyUpdate().executeTakeFirst()
}

function domainQuery(db: Db, teamId: string, id: string) {
  return db.selectFrom('domains').select(domainColumns).where('team_id', '=', teamId).where('id', '=', id)
}

/** Newest first. */
export function listDomainsOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db
    .selectFrom('domains')
    .select(['id', 'name', 'status', 'region', 'created_at as createdAt'])
    .where('team_id', '=', teamId)
  return readPage(app, { list: 'domains', teamId }, query, rows)
}
