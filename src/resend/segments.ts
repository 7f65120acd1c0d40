import { orNotFound } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Name, Strict } from '../platform/http/schema/schema.ts'
import { createSegment, findSegment, listSegments, updateSegment } from '../segments/group.ts'
import { theirFields } from './names.ts'
import { lists, rowsOf } from './route-like.ts'

const SegmentBody = Strict({ name: Name({ maxLength: 200 }) })

export type OurSegment = { id: string; name: string; createdAt: Date }

export function theirSegment(segment: OurSegment) {
  return theirFields(segment, 'id', 'name', 'createdAt')
}

const { shows, does } = rowsOf('segment')

/** Segments were called audiences before. */
const paths = ['/segments', '/audiences'] as const

export const theirSegmentRoutes: Route[] = paths.flatMap((path) => [
  shows('createSegment', `POST ${path}`, SegmentBody, async ({ app, teamId, body }) =>
    theirFields((await createSegment(app, teamId, body))!, 'id', 'name'),
  ),
  // Python's package ends the path with a slash.
  ...([path, `${path}/`] as const).map((each) =>
    lists('listSegments', each, theirSegment, ({ app, teamId, query }) => listSegments(app, teamId, query)),
  ),
  shows('getSegment', `GET ${path}/:id`, async ({ app, teamId, id }) =>
    theirSegment(await orNotFound('segment', findSegment(app.db, teamId, id))),
  ),
  does('updateSegment', `PATCH ${path}/:id`, SegmentBody, ({ app, teamId, id, body }) =>
    updateSegment(app, teamId, id, body),
  ),
  shows('deleteSegment', `DELETE ${path}/:id`),
])
