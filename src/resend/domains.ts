import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Caller } from '../context.ts'
import { createDomain } from '../domains/create.ts'
import { deleteDomain } from '../domains/delete.ts'
import { getDomain } from '../domains/get.ts'
import { listDomainsOfTeam } from '../domains/queries.ts'
import { updateDomain } from '../domains/update.ts'
import { verifyDomain } from '../domains/verify.ts'
import { invalid } from '../platform/errors.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

const Switch = Type.Optional(TextEnum('enabled', 'disabled'))

const settings = {
  open_tracking: Type.Optional(Type.Boolean()),
  click_tracking: Type.Optional(Type.Boolean()),
  tls: Type.Optional(TextEnum('enforced', 'opportunistic')),
  capabilities: Type.Optional(Strict({ sending: Switch, receiving: Switch })),
  tracking_subdomain: Type.Optional(Text({ maxLength: 63 })),
}

export const NewDomainBody = Strict({
  name: Text({ minLength: 1, maxLength: 1000 }),
  region: Type.Optional(TextEnum('us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1')),
  custom_return_path: Type.Optional(Text({ maxLength: 253 })),
  ...settings,
})
export const DomainChangesBody = Strict(settings)
type Settings = Static<typeof DomainChangesBody> & { custom_return_path?: string }

/** Their settings as ours. Throws `invalid` for what Posthorn does not do. */
function settingsOf({ open_tracking, click_tracking, tls, capabilities, tracking_subdomain, ...rest }: Settings) {
  if (capabilities?.receiving === 'enabled') throw invalid('capabilities.receiving', 'must be disabled here')
  if (capabilities?.sending === 'disabled') throw invalid('capabilities.sending', 'must be enabled here')
  if (tracking_subdomain && tracking_subdomain !== trackingLabel) {
    throw invalid('trackingSubdomain', `must be ${trackingLabel}, or left out`)
  }
  return {
    ...(open_tracking !== undefined && { openTracking: open_tracking }),
    ...(click_tracking !== undefined && { clickTracking: click_tracking }),
    ...(tls !== undefined && { tls }),
    ...(rest.custom_return_path !== undefined && { customReturnPath: rest.custom_return_path }),
  }
}

const trackingLabel = 'track'

type OurDomain = Awaited<ReturnType<typeof getDomain>>
type Listed = Pick<OurDomain, 'id' | 'name' | 'status' | 'region' | 'createdAt'>

/** Our domain as theirs. `temporary_failure` is a status of records only at Resend. */
function theirDomain({ id, name, status, region, createdAt }: Listed) {
  return {
    ...{ id, name, status: status === 'temporary_failure' ? 'pending' : status, created_at: iso(createdAt), region },
    capabilities: { sending: 'enabled', receiving: 'disabled' },
  }
}

function withRecords(domain: OurDomain) {
  const { openTracking, clickTracking, records } = domain
  return {
    ...theirDomain(domain),
    ...{ open_tracking: openTracking, click_tracking: clickTracking, records: records.map(theirRecord) },
  }
}

function theirRecord({ key, type, name, value, priority, status }: OurDomain['records'][number]) {
  const record = /dkim/i.test(key) ? 'DKIM' : key === 'tracking' ? 'Tracking' : 'SPF'
  return { record, name, type: type.toUpperCase(), ttl: 'Auto', status, value, ...(priority !== null && { priority }) }
}

export async function createTheirDomain(app: App, caller: Caller, { body }: { body: Static<typeof NewDomainBody> }) {
  const { name, region, ...given } = body
  const settings = settingsOf(given)
  const made = await createDomain(app, caller.teamId, { name, ...(region && { region }) })
  if (Object.keys(settings).length === 0) return withRecords(made)
  try {
    return withRecords(await updateDomain(app, caller.teamId, made.id, settings))
  } catch (error) {
    await deleteDomain(app, caller, made.id)
    throw error
  }
}

export async function listTheirDomains(app: App, { teamId }: Caller, { query }: { query: PageQuery }) {
  const ids = sql`select id from domains where team_id = ${teamId}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listDomainsOfTeam(app, teamId, ours))
  return listOf(data.map(theirDomain), hasMore)
}

export async function getTheirDomain(app: App, { teamId }: Caller, { id }: { id: string }) {
  return { object: 'domain', ...withRecords(await getDomain(app, teamId, id)) }
}

export async function updateTheirDomain(app: App, { teamId }: Caller, { id, body }: { id: string; body: Settings }) {
  await updateDomain(app, teamId, id, settingsOf(body))
  return { object: 'domain', id }
}

export async function verifyTheirDomain(app: App, { teamId }: Caller, { id }: { id: string }) {
  await verifyDomain(app, teamId, id)
  return { object: 'domain', id }
}

export async function deleteTheirDomain(app: App, caller: Caller, { id }: { id: string }) {
  return { object: 'domain', ...(await deleteDomain(app, caller, id)) }
}
