import { type Route, route } from '../../platform/http/route.ts'
import { admins } from '../roles/roles.ts'
import { findRetention } from './retention.ts'
import { RetentionChanges, TeamRetention } from './schema.ts'
import { updateRetention } from './update.ts'

const shared = { access: 'user', tag: 'Team', response: TeamRetention } as const

export const retentionRoutes: Route[] = [
  route('GET /v1/team/retention', 'getRetention', {
    ...shared,
    summary: 'Get how long data is kept',
    description: 'In days; null is for ever. The server has the defaults.',
    handle: ({ app, caller }) => findRetention(app.db, app.config, caller.teamId),
  }),
  route('PATCH /v1/team/retention', 'updateRetention', {
    ...shared,
    roles: admins,
    changes: 'team/retention',
    summary: 'Change how long data is kept',
    description:
      'Older data is removed from then on, beginning within 15 seconds: a removed body reads as null, a removed row answers 404. ' +
      'Emails that are not sent to the end stay. Suppressions, opt-outs, consents, the ledger and the audit log are not covered, and figures of usage and metrics stay as they are.',
    body: RetentionChanges,
    handle: ({ app, caller, body }) => updateRetention(app, caller.teamId, body),
  }),
]
