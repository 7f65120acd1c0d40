import { orNotFound } from '../../platform/errors.ts'
import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted, ListQuery } from '../../platform/http/schema/schema.ts'
import { marketers } from '../../teams/roles/roles.ts'
import { addOptOut } from './add.ts'
import { deleteOptOut } from './delete.ts'
import { findOptOut, listOptOuts } from './queries.ts'
import { NewOptOut, OptOut, OptOutList } from './schema.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'SMS opt-outs' },
  { roles: marketers, changes: 'sms/opt-outs' },
)

export const optOutRoutes: Route[] = [
  route('POST /v1/sms/opt-outs', 'createSmsOptOut', {
    summary: 'Block a number',
    description:
      'No more SMS is sent to the number, transactional or promotional. A number that is already blocked returns its entry.',
    body: NewOptOut,
    response: OptOut,
    handle: ({ app, caller, body }) => addOptOut(app, caller.teamId, body.phoneNumber),
  }),
  route('GET /v1/sms/opt-outs', 'listSmsOptOuts', {
    summary: 'List blocked numbers',
    description: 'Newest first. `keyword`: the person wrote STOP or the like to one of its senders.',
    query: ListQuery,
    response: OptOutList,
    handle: ({ app, caller, query }) => listOptOuts(app, caller.teamId, query),
  }),
  route('GET /v1/sms/opt-outs/:id', 'getSmsOptOut', {
    summary: 'Get a blocked number',
    response: OptOut,
    handle: ({ app, caller, params }) => orNotFound('SMS opt-out', findOptOut(app.db, caller.teamId, params.id)),
  }),
  route('DELETE /v1/sms/opt-outs/:id', 'deleteSmsOptOut', {
    summary: 'Unblock a number',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteOptOut(app, caller.teamId, params.id),
  }),
]
