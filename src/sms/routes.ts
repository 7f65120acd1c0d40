import { type Route, routesOf } from '../platform/http/route.ts'
import { developers } from '../teams/roles/roles.ts'
import { getSms, getSmsEvents } from './get.ts'
import { listSms } from './list.ts'
import { sendSms } from './messages/send.ts'
import { sendSmsBatch } from './messages/send-batch.ts'
import {
  SendSmsBatchBody,
  SendSmsBody,
  Sms,
  SmsBatch,
  SmsEvents,
  SmsListQuery,
  SmsPage,
  sendRefusals,
} from './schema.ts'

const route = routesOf(
  { access: 'send', closedToDomainKeys: true, inTest: 'apart', tag: 'SMS' },
  { roles: developers, changes: 'sms' },
)

export const smsRoutes: Route[] = [
  route('POST /v1/sms', 'sendSms', {
    summary: 'Send an SMS',
    description:
      'Costs the rate of the destination’s zone, whatever the number of segments. A message that the provider refuses has the status `failed` and is not billed. Repeat with the same `Idempotency-Key` to be sure it is sent once.',
    body: SendSmsBody,
    response: Sms,
    idempotent: true,
    refusals: ['conflict', 'unprocessable', 'limitExceeded', 'providerFailed'],
    refusalBodies: sendRefusals,
    refusalNames: { invalid: ['sender_not_active'] },
    handle: ({ app, caller, body, idempotencyKey }) => sendSms(app, caller, body, idempotencyKey),
  }),
  route('POST /v1/sms/batch', 'sendSmsBatch', {
    sdk: 'sms.sendBatch',
    summary: 'Send a batch of SMS',
    description:
      'Checked as a whole before the first is sent. A message that fails at the provider has status `failed` and is not billed; the others go on.',
    body: SendSmsBatchBody,
    response: SmsBatch,
    idempotent: true,
    refusals: ['conflict', 'unprocessable', 'limitExceeded'],
    refusalBodies: sendRefusals,
    refusalNames: { invalid: ['sender_not_active'] },
    handle: ({ app, caller, body, idempotencyKey }) => sendSmsBatch(app, caller, body.messages, idempotencyKey),
  }),
  route('GET /v1/sms', 'listSms', {
    summary: 'List SMS',
    description: 'Newest first. `search` looks in the number and the body.',
    query: SmsListQuery,
    response: SmsPage,
    handle: ({ app, caller, query }) => listSms(app, caller, query),
  }),
  route('GET /v1/sms/:id', 'getSms', {
    summary: 'Get an SMS',
    response: Sms,
    handle: ({ app, caller, params }) => getSms(app, caller, params.id),
  }),
  route('GET /v1/sms/:id/events', 'listSmsEvents', {
    summary: 'List the events of an SMS',
    description:
      'Newest first, at most 1000: `accepted`, `queued`, `sent`, `delivered`, `failed`, `undelivered`; and `outcome_unknown` if the provider’s answer was lost, after which the message is not sent again.',
    response: SmsEvents,
    handle: ({ app, caller, params }) => getSmsEvents(app, caller, params.id),
  }),
]
