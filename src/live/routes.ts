import Type from 'typebox'
import { findPersonOf } from '../api-keys/creator.ts'
import { openEventStream, type StreamKind } from '../platform/http/event-stream.ts'
import { type Route, route } from '../platform/http/route.ts'
import { testTeamOf } from '../platform/mode/mode.ts'
import { hubOf } from './hub.ts'

const hints: StreamKind = { noun: 'event streams', ofTeamMax: 100, heartbeatMs: 25_000 }

export const liveRoutes: Route[] = [
  route('GET /v1/live', 'streamChanges', {
    access: 'full',
    inTest: 'apart',
    tag: 'Live updates',
    summary: 'Hear what changes',
    description:
      'A stream of server-sent events. Each is a hint such as `{"changed": {"emails": ["01890a5d-…"]}}`: the ids of ' +
      'what changed by noun, without data. No ids mean that anything of the noun may have changed. At most four a second ' +
      'and a comment every 25 seconds. A user hears both modes, a key its own. The stream ends when the process stops, ' +
      'when the key is revoked and when the session ends; a hint that is missed meanwhile is not repeated. In ' +
      'each process a user has at most 25 streams, a person 50 with the keys that the person made, and a team 100; a ' +
      'further one is 503.',
    refusals: ['unavailable'],
    response: Type.String(),
    produces: 'text/event-stream',
    async handle({ app, caller, request, reply }) {
      if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
      const personId = await findPersonOf(app.db, caller)
      const stream = openEventStream({ kind: hints, app, caller, personId, request, reply })
      const teamIds = caller.kind === 'user' ? [caller.teamId, testTeamOf(caller.teamId)] : [caller.teamId]
      stream.onEnd(hubOf(app.jobs).listen({ teamIds, hear: (changed) => stream.send({ data: { changed } }) }))
      return reply
    },
  }),
]
