import { verifiedInTest } from '../../phone/verified-in-test.ts'
import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted, ListQuery } from '../../platform/http/schema/schema.ts'
import { developers } from '../../teams/roles/roles.ts'
import { createSender } from './create.ts'
import { deleteSender } from './delete.ts'
import { getSender } from './get.ts'
import { listSenders } from './queries.ts'
import { NewSender, Sender, SenderChanges, SenderList } from './schema.ts'
import { updateSender } from './update.ts'
import { verifySender } from './verify.ts'

const route = routesOf(
  { access: 'full', inTest: 'shared', tag: 'SMS senders' },
  { roles: developers, changes: 'sms/senders' },
)

export const senderRoutes: Route[] = [
  route('POST /v1/sms/senders', 'createSmsSender', {
    summary: 'Create an SMS sender',
    description: 'Verify it before sending from it.',
    body: NewSender,
    response: Sender,
    refusals: ['conflict'],
    handle: ({ app, caller, body }) => createSender(app, caller.teamId, body),
  }),
  route('GET /v1/sms/senders', 'listSmsSenders', {
    summary: 'List SMS senders',
    description: 'Newest first.',
    query: ListQuery,
    response: SenderList,
    handle: ({ app, caller, query }) => listSenders(app, caller.teamId, query),
  }),
  route('GET /v1/sms/senders/:id', 'getSmsSender', {
    summary: 'Get an SMS sender',
    response: Sender,
    handle: ({ app, caller, params }) => getSender(app, caller.teamId, params.id),
  }),
  route('PATCH /v1/sms/senders/:id', 'updateSmsSender', {
    summary: 'Change an SMS sender',
    description: 'Its sender ID, type and country cannot change: create another sender.',
    body: SenderChanges,
    response: Sender,
    handle: ({ app, caller, params, body }) => updateSender(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/sms/senders/:id', 'deleteSmsSender', {
    summary: 'Delete an SMS sender',
    description: 'Only a sender that nothing was sent from can be deleted.',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteSender(app, caller.teamId, params.id),
  }),
  route('POST /v1/sms/senders/:id/verify', 'verifySmsSender', {
    inTest: 'walled',
    summary: 'Verify an SMS sender',
    description:
      'Registers the sender with the provider and returns its final status: `active`, or `failed` or `rejected` (by the carrier) with a `rejectionReason`, after which it can be verified again. An active sender is returned unchanged. A suspended sender, or a number that is active in another team, is refused. In test mode every sender is active: no provider is asked and nothing changes.',
    response: Sender,
    refusals: ['conflict', 'providerFailed'],
    handle: ({ app, caller: { mode, teamId }, params: { id } }) =>
      mode === 'test' ? verifiedInTest(getSender(app, teamId, id)) : verifySender(app, teamId, id),
  }),
]
