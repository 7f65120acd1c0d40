import { sql } from 'kysely'
import type { App, Db, SentAtOnce, Tx } from '../context.ts'
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

/** `name` is in lower case and punycode. */
type DomainOfTeam = { teamId: string; name: string }

/**
 * Finds domains of many teams in one statement, verified or not, by `sendingDomainKey`. For a test team every name is
 * found, and verified. With `lock` they cannot be deleted before the transaction ends; the transaction that inserts an
 * email needs it, so that the email keeps its domain.
 */
export async function findSendingDomains(
  reader: Reader,
  wanted: DomainOfTeam[],
  { lock }: { lock: boolean },
): SentAtOnce<Map<string, SendingDomain>> {
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
  const byKey = new Map(rows.map((domain) => [sendingDomainKey(domain), domain]))
  const found = wanted.flatMap((one): [string, SendingDomain][] => {
    const own = byKey.get(sendingDomainKey({ ...one, teamId: liveTeamOf(one.teamId) }))
    const domain = isTestTeam(one.teamId) ? testDomain(one, own) : own
    return domain ? [[sendingDomainKey(one), domain]] : []
  })
  return new Map(found)
}

/** Finds one domain, as `findSendingDomains` does. */
export async function findSendingDomain(
  reader: Reader,
  wanted: DomainOfTeam,
  options: { lock: boolean },
): Promise<SendingDomain | undefined> {
  return (await findSendingDomains(reader, [wanted], options)).get(sendingDomainKey(wanted))
}

export function sendingDomainKey({ teamId, name }: DomainOfTeam): string {
  return `${teamId} ${name}`
}

/** Mail of test keys may be from any domain. The settings are those of the team's own, verified or not. */
function testDomain({ teamId, name }: DomainOfTeam, own: SendingDomain | undefined): SendingDomain {
  return { ...(own ?? { ...anyDomain, name, returnPath: `bounces.${name}` }), teamId, status: 'verified' }
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
