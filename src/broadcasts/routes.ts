import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { cancelBroadcast } from './cancel.ts'
import { createBroadcast } from './create.ts'
import { deleteBroadcast } from './delete.ts'
import { getBroadcast } from './get.ts'
import { listBroadcasts } from './list.ts'
import { getBroadcastAudience } from './results/audience.ts'
import { listBroadcastLinks } from './results/links.ts'
import { listBroadcastRecipients } from './results/recipients.ts'
import {
  BroadcastAudience,
  BroadcastLinks,
  BroadcastRecipients,
  BroadcastTest,
  BroadcastTested,
  RecipientsQuery,
} from './results/schema.ts'
import { getBroadcastStats } from './results/stats.ts'
import { Broadcast, BroadcastChanges, BroadcastList, BroadcastStats, NewBroadcast } from './schema.ts'
import { sendBroadcast } from './send.ts'
import { testBroadcast } from './test.ts'
import { updateBroadcast } from './update.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'Broadcasts' },
  { roles: marketers, changes: 'broadcasts' },
)

export const broadcastRoutes: Route[] = [
  route('POST /v1/broadcasts', 'createBroadcast', {
    access: 'send',
    summary: 'Create a broadcast',
    description:
      'It begins as a draft. Each email of it gets an unsubscribe link at its end, unless it uses `{{unsubscribeUrl}}`. Its headers are `List-Unsubscribe` (one click), `List-Id` of the topic or segment, and `Feedback-ID`.',
    body: NewBroadcast,
    response: Broadcast,
    status: 201,
    refusals: ['forbidden'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createBroadcast(app, caller, body),
  }),
  route('GET /v1/broadcasts', 'listBroadcasts', {
    access: 'send',
    summary: 'List broadcasts',
    description: 'Newest first, with their bodies: large ones make a page shorter than `limit`.',
    query: ListQuery,
    response: BroadcastList,
    handle: ({ app, caller, query }) => listBroadcasts(app, caller, query),
  }),
  route('GET /v1/broadcasts/:id', 'getBroadcast', {
    access: 'send',
    summary: 'Get a broadcast',
    response: Broadcast,
    versioned: true,
    handle: ({ app, caller, params }) => getBroadcast(app, caller, params.id),
  }),
  route('PATCH /v1/broadcasts/:id', 'updateBroadcast', {
    access: 'send',
    summary: 'Change a draft',
    body: BroadcastChanges,
    response: Broadcast,
    versioned: true,
    refusals: ['forbidden', 'conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, params, body, knownVersions }) =>
      updateBroadcast(app, caller, params.id, body, knownVersions),
  }),
  route('DELETE /v1/broadcasts/:id', 'deleteBroadcast', {
    summary: 'Delete a draft',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteBroadcast(app, caller, params.id),
  }),
  route('POST /v1/broadcasts/:id/send', 'sendBroadcast', {
    access: 'send',
    summary: 'Send a broadcast',
    description:
      'At once, or at its `scheduledAt` where that is in the future. The segment is read when sending begins; contacts who are unsubscribed, suppressed or not opted in to its topic are skipped.',
    response: Broadcast,
    idempotent: true,
    refusals: ['conflict'],
    refusalNames: { forbidden: ['domain_not_verified'] },
    handle: ({ app, caller, params, idempotencyKey }) => sendBroadcast(app, caller, params.id, idempotencyKey),
  }),
  route('POST /v1/broadcasts/:id/cancel', 'cancelBroadcast', {
    summary: 'Cancel a broadcast',
    description:
      'A scheduled or queued broadcast becomes a draft again. A broadcast that is sending stops: its status becomes `sent`, and the remaining recipients are skipped.',
    response: Broadcast,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => cancelBroadcast(app, caller, params.id),
  }),
  route('GET /v1/broadcasts/:id/stats', 'getBroadcastStats', {
    access: 'send',
    summary: 'Get the statistics of a broadcast',
    response: BroadcastStats,
    handle: ({ app, caller, params }) => getBroadcastStats(app, caller, params.id),
  }),
  route('GET /v1/broadcasts/:id/audience', 'countBroadcastAudience', {
    access: 'send',
    summary: 'Count the audience of a broadcast',
    description:
      'How many contacts would get it now, and why others would not. It counts the segment as it is, also later.',
    response: BroadcastAudience,
    handle: ({ app, caller, params }) => getBroadcastAudience(app, caller, params.id),
  }),
  route('GET /v1/broadcasts/:id/recipients', 'listBroadcastRecipients', {
    access: 'send',
    summary: 'List the recipients of a broadcast',
    description: '`status` finds those that ever reached it, as the statistics count them.',
    query: RecipientsQuery,
    response: BroadcastRecipients,
    handle: ({ app, caller, params, query }) => listBroadcastRecipients(app, caller, params.id, query),
  }),
  route('GET /v1/broadcasts/:id/links', 'listBroadcastLinks', {
    access: 'send',
    summary: 'List the clicked links of a broadcast',
    description: 'Most clicks first, at most a thousand links. Clicks of machines do not count.',
    query: ListQuery,
    response: BroadcastLinks,
    handle: ({ app, caller, params, query }) => listBroadcastLinks(app, caller, params.id, query),
  }),
  route('POST /v1/broadcasts/:id/test', 'testBroadcast', {
    summary: 'Send a test of a broadcast',
    description:
      'Sends it to at most 5 addresses with the values of `contactId`, or empty ones. The emails count against the daily limit only: they are not tracked and in no figure, and their unsubscribe links do nothing.',
    body: BroadcastTest,
    response: BroadcastTested,
    refusals: ['limitExceeded', 'providerFailed'],
    refusalNames: { forbidden: ['domain_not_verified'], unprocessable: ['recipient_suppressed'] },
    handle: ({ app, caller, params, body }) => testBroadcast(app, caller, params.id, body),
  }),
]
