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
  { access: 'full', inTest: 'shared', tag: 'WhatsApp senders' },
  { roles: developers, changes: 'whatsapp/senders' },
)

export const senderRoutes: Route[] = [
  route('POST /v1/whatsapp/senders', 'createWhatsappSender', {
    summary: 'Create a WhatsApp sender',
    description: 'A phone number to send from. It must be verified before it can.',
    body: NewSender,
    response: Sender,
    refusals: ['conflict'],
    handle: ({ app, caller, body }) => createSender(app, caller.teamId, body),
  }),
  route('GET /v1/whatsapp/senders', 'listWhatsappSenders', {
    summary: 'List WhatsApp senders',
    description: 'Newest first.',
    query: ListQuery,
    response: SenderList,
    handle: ({ app, caller, query }) => listSenders(app, caller.teamId, query),
  }),
  route('GET /v1/whatsapp/senders/:id', 'getWhatsappSender', {
    summary: 'Get a WhatsApp sender',
    response: Sender,
    handle: ({ app, caller, params }) => getSender(app, caller.teamId, params.id),
  }),
  route('PATCH /v1/whatsapp/senders/:id', 'updateWhatsappSender', {
    summary: 'Change a WhatsApp sender',
    description: 'With another `wabaId` or `phoneNumberId` it must be verified anew.',
    body: SenderChanges,
    response: Sender,
    refusals: ['conflict'],
    handle: ({ app, caller, params, body }) => updateSender(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/whatsapp/senders/:id', 'deleteWhatsappSender', {
    summary: 'Delete a WhatsApp sender',
    description: 'Only a sender without messages can be deleted.',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteSender(app, caller.teamId, params.id),
  }),
  route('POST /v1/whatsapp/senders/:id/verify', 'verifyWhatsappSender', {
    inTest: 'walled',
    summary: 'Verify a WhatsApp sender',
    description:
      'Registers it with the provider, for the first time or again: it is `pending`, and `active`, `failed` or `rejected` once the provider has answered. `wabaId` and `phoneNumberId` must be set. In test mode every sender is active: no provider is asked and nothing changes.',
    response: Sender,
    refusals: ['conflict', 'providerFailed'],
    handle: ({ app, caller: { mode, teamId }, params: { id } }) =>
      mode === 'test' ? verifiedInTest(getSender(app, teamId, id)) : verifySender(app, teamId, id),
  }),
]
