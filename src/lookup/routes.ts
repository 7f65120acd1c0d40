import { type Route, route } from '../platform/http/route.ts'
import { lookUp } from './look-up.ts'
import { Lookup, LookupQuery } from './schema.ts'

export const lookupRoutes: Route[] = [
  route('GET /v1/lookup', 'lookUp', {
    sdk: 'lookup',
    command: null,
    access: 'full',
    inTest: 'apart',
    tag: 'Lookup',
    summary: 'Find what an id belongs to',
    description:
      'Says which of the team’s resources has an id, such as one from a log. An id that is unknown, of another team, of the ' +
      'other mode or of a resource that the caller may not read is answered with `{"found": null}`.',
    query: LookupQuery,
    response: Lookup,
    handle: async ({ app, caller, query }) => ({ found: await lookUp(app, caller, query.id) }),
  }),
]
