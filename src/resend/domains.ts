import Type, { type Static } from 'typebox'
import { createDomain } from '../domains/create.ts'
import { deleteDomain } from '../domains/delete.ts'
import { getDomain } from '../domains/get.ts'
import { listDomainsOfTeam } from '../domains/queries.ts'
import { updateDomain } from '../domains/update.ts'
import { invalid } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { ourFields, theirFields } from './names.ts'
import { like, lists, rowsOf } from './route-like.ts'

const Switch = Type.Optional(TextEnum('enabled', 'disabled'))

const settings = {
  open_tracking: Type.Optional(Type.Boolean()),
  click_tracking: Type.Optional(Type.Boolean()),
  tls: Type.Optional(TextEnum('enforced', 'opportunistic')),
  capabilities: Type.Optional(Strict({ sending: Switch, receiving: Switch })),
  tracking_subdomain: Type.Optional(Text({ maxLength: 63 })),
}
const DomainChanges = Strict(settings)
const NewDomain = Strict({
  name: Text({ minLength: 1, maxLength: 1000 }),
  region: Type.Optional(TextEnum('us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1')),
  custom_return_path: Type.Optional(Text({ maxLength: 253 })),
  ...settings,
})

const trackingLabel = 'track'

type Settings = Static<typeof DomainChanges> & { custom_return_path?: string }

/** Their settings as ours. Throws `invalid` for what Posthorn does not do. */
function settingsOf({ capabilities, tracking_subdomain: label, ...settings }: Settings) {
  if (capabilities?.receiving === 'enabled') throw invalid('capabilities.receiving', 'must be disabled here')
  if (capabilities?.sending === 'disabled') throw invalid('capabilities.sending', 'must be enabled here')
  if (label && label !== trackingLabel) throw invalid('trackingSubdomain', `must be ${trackingLabel}, or left out`)
  return ourFields(settings)
}

type OurDomain = Awaited<ReturnType<typeof getDomain>>

/** Our domain as theirs. `temporary_failure` is a status of records only at Resend. */
function theirDomain({ status, ...domain }: Pick<OurDomain, 'id' | 'name' | 'status' | 'region' | 'createdAt'>) {
  const shown = { ...domain, status: status === 'temporary_failure' ? 'pending' : status }
  const capabilities = { sending: 'enabled', receiving: 'disabled' }
  return { ...theirFields(shown, 'id', 'name', 'status', 'createdAt', 'region'), capabilities }
}

function withRecords(domain: OurDomain) {
  const tracking = theirFields(domain, 'openTracking', 'clickTracking')
  return { ...theirDomain(domain), ...tracking, records: domain.records.map(theirRecord) }
}

function theirRecord({ key, type, name, value, priority, status }: OurDomain['records'][number]) {
  const record = /dkim/i.test(key) ? 'DKIM' : key === 'tracking' ? 'Tracking' : 'SPF'
  return { record, name, type: type.toUpperCase(), ttl: 'Auto', status, value, ...(priority !== null && { priority }) }
}

const { shows, does } = rowsOf('domain')

export const theirDomainRoutes: Route[] = [
  like('createDomain', 'POST /domains', NewDomain, async ({ app, caller, teamId, body }) => {
    const { name, region, ...given } = body
    const settings = settingsOf(given)
    const made = await createDomain(app, teamId, { name, ...(region && { region }) })
    if (Object.keys(settings).length === 0) return withRecords(made)
    try {
      return withRecords(await updateDomain(app, teamId, made.id, settings))
    } catch (error) {
      await deleteDomain(app, caller, made.id)
      throw error
    }
  }),
  lists('listDomains', '/domains', theirDomain, ({ app, teamId, query }) => listDomainsOfTeam(app, teamId, query)),
  shows('getDomain', 'GET /domains/:id', async ({ app, teamId, id }) => withRecords(await getDomain(app, teamId, id))),
  does('updateDomain', 'PATCH /domains/:id', DomainChanges, ({ app, teamId, id, body }) =>
    updateDomain(app, teamId, id, settingsOf(body)),
  ),
  does('verifyDomain', 'POST /domains/:id/verify'),
  shows('deleteDomain', 'DELETE /domains/:id'),
]
