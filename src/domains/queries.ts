import { sql } from 'kysely'
import type { App, Db } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import type { DkimSelector, DomainStatus } from './table.ts'

/** A domain as sending needs it; only a verified one may be sent from. */
export type SendingDomain = {
  teamId: string
  id: string
  name: string
  status: DomainStatus
  region: string
  tls: 'opportunistic' | 'enforced'
  clickTracking: boolean
  openTracking: boolean
  /** The tracking subdomain leads here. */
  isTrackingVerified: boolean
  /** Full name of the envelope sender's domain. */
  returnPath: string
  /** Encrypted: `signingKeyOf` opens it. */
  dkimPrivateKey: string
  dkimSelector: DkimSelector
}

/**
 * The domains among those wanted, verified or not, of many teams in one statement; `name` in lower case and punycode. With
 * `lock` none of them can be deleted before the transaction ends: take it where an email is accepted, in the same
 * transaction as its row, and no email is ever left without its domain.
 */
export async function findSendingDomains(
  db: Db,
  wanted: { teamId: string; name: string }[],
  { lock }: { lock: boolean },
): Promise<SendingDomain[]> {
  const teams = wanted.map((one) => one.teamId)
  const names = wanted.map((one) => one.name)
  const { rows } = await sql<SendingDomain>`
    select team_id as "teamId", id, name, status, region, tls, click_tracking as "clickTracking",
      open_tracking as "openTracking", coalesce(record_statuses->>'tracking' = 'verified', false) as "isTrackingVerified",
      return_path as "returnPath", dkim_private_key as "dkimPrivateKey",
      dkim_selector as "dkimSelector"
    from domains
    where (team_id, name) in (select * from unnest(${teams}::uuid[], ${names}::text[]))
    ${lock ? sql`for key share` : sql``}
  `.execute(db)
  return rows
}

/** What answers and decisions are made of; the private key stays where it is. */
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

/** Locked against other changes, not against emails being accepted. */
export function findDomainForUpdate(db: Db, teamId: string, id: string) {
  return domainQuery(db, teamId, id).forNoKeyUpdate().executeTakeFirst()
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
