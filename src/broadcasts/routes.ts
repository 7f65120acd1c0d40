import { type Route, route } from '../platform/http/route.ts'
import { Deleted, IdParams, ListQuery } from '../platform/http/schema.ts'
import { cancelBroadcast } from './cancel.ts'
import { createBroadcast } from './create.ts'
import { deleteBroadcast } from './delete.ts'
import { getBroadcast } from './get.ts'
import { listBroadcasts } from './list.ts'
import { Broadcast, BroadcastChanges, BroadcastList, BroadcastStats, NewBroadcast } from './schema.ts'
import { sendBroadcast } from './send.ts'
import { getBroadcastStats } from './stats.ts'
import { updateBroadcast } from './update.ts'

const tag = 'Broadcasts'

export const broadcastRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/broadcasts',
    access: 'send',
    byMode: true,
    tag,
    summary: 'Create a broadcast',
    description:
      'It begins as a draft. Each email of it gets an unsubscribe link at its end, unless it uses `{{unsubscribeUrl}}`.',
    body: NewBroadcast,
    response: Broadcast,
    status: 201,
    refusals: ['forbidden', 'unprocessable'],
    handle: ({ app, caller, body }) => createBroadcast(app, caller, body),
  }),
  route({
    method: 'GET',
    path: '/v1/broadcasts',
    access: 'send',
    byMode: true,
    tag,
    summary: 'List broadcasts',
    description: 'Newest first, with their bodies: large ones make a page shorter than `limit`.',
    query: ListQuery,
    response: BroadcastList,
    handle: ({ app, caller, query }) => listBroadcasts(app, caller, query),
  }),
  route({
    method: 'GET',
    path: '/v1/broadcasts/:id',
    access: 'send',
    byMode: true,
    tag,
    summary: 'Get a broadcast',
    params: IdParams,
    response: Broadcast,
    handle: ({ app, caller, params }) => getBroadcast(app, caller, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/v1/broadcasts/:id',
    access: 'send',
    byMode: true,
    tag,
    summary: 'Change a draft',
    params: IdParams,
    body: BroadcastChanges,
    response: Broadcast,
    refusals: ['forbidden', 'conflict', 'unprocessable'],
    handle: ({ app, caller, params, body }) => updateBroadcast(app, caller, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/v1/broadcasts/:id',
    access: 'full',
    byMode: true,
    tag,
    summary: 'Delete a draft',
    params: IdParams,
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteBroadcast(app, caller, params.id),
  }),
  route({
    method: 'POST',
    path: '/v1/broadcasts/:id/send',
    access: 'send',
    byMode: true,
    tag,
    summary: 'Send a broadcast',
    description:
      'At once, or at its `scheduledAt` where that is in the future. The segment is read when sending begins; contacts who are unsubscribed, suppressed or not opted in to its topic are skipped.',
    params: IdParams,
    response: Broadcast,
    idempotent: true,
    refusals: ['forbidden', 'conflict'],
    handle: ({ app, caller, params, idempotencyKey }) => sendBroadcast(app, caller, params.id, idempotencyKey),
  }),
  route({
    method: 'POST',
    path: '/v1/broadcasts/:id/cancel',
    access: 'full',
    byMode: true,
    tag,
    summary: 'Cancel a broadcast',
    description:
      'A scheduled or queued broadcast becomes a draft again. A broadcast that is sending stops: its status becomes `sent`, and the remaining recipients are skipped.',
    params: IdParams,
    response: Broadcast,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => cancelBroadcast(app, caller, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/broadcasts/:id/stats',
    access: 'send',
    byMode: true,
    tag,
    summary: 'Get the statistics of a broadcast',
    params: IdParams,
    response: BroadcastStats,
    handle: ({ app, caller, params }) => getBroadcastStats(app, caller, params.id),
  }),
]
