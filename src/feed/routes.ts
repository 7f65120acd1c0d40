import Type from 'typebox'
import { type Route, routesOf } from '../platform/http/route.ts'
import { listFeed } from './list.ts'
import { FeedEntryList, FeedQuery, FeedStreamQuery } from './schema.ts'
import { streamFeed } from './stream.ts'

const refusalNames = { gone: ['feed_expired'] }

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Feed' })

export const feedRoutes: Route[] = [
  route('GET /v1/feed', 'listFeed', {
    command: null,
    summary: 'List what happened',
    description:
      'Oldest first. Each entry is listed once it is certain that no other one will be listed in front of it, so a reader that goes on from the `cursor` misses none. Entries are kept for 7 days, or as long as the events of their emails if that is shorter. A reader that comes back later, when an entry behind its place is gone, is told so by 410 `feed_expired`, and begins anew without `after`. It then goes on from cursors, as ids in front of that entry are refused.',
    query: FeedQuery,
    refusalNames,
    response: FeedEntryList,
    handle: ({ app, caller, query }) => listFeed(app, caller, query),
  }),
  route('GET /v1/feed/stream', 'streamFeed', {
    summary: 'Follow what happens',
    description:
      'A stream of server-sent events. The first is `ready`; then each entry of the feed comes as an event of its type, with its id. The stream begins at present, or behind the entry that `after` or the header `Last-Event-ID` names; the header wins. A reader that comes back with the last id gets every entry once. A comment comes every 15 seconds; where entries of other types were passed over, it comes with an `id` and no data, which is the place to come back to. With `signed=true` each event has the `headers` and the `body` that a webhook would be sent, and `ready` has their `signingSecret`, which is the same each time for a key. In each process a team has at most 20 of these streams; a further one is 503. A stream ends when the process stops, when the key is revoked and when the session ends.',
    query: FeedStreamQuery,
    refusalNames,
    response: Type.String(),
    produces: 'text/event-stream',
    async handle({ app, caller, query, request, reply }) {
      if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
      await streamFeed({ app, caller, query, request, reply })
      return reply
    },
  }),
]
