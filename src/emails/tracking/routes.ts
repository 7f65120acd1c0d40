import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { AnyObject } from '../../platform/http/schema/schema.ts'
import { followLink } from './follow-link.ts'
import { clickPath, openPath } from './paths.ts'
import { showPixel } from './show-pixel.ts'

/** Node's limit for the URL and the headers of a request together. */
const urlMax = 16 * 1024

/** A wildcard, because a token is longer than the server allows for a named parameter. */
const TokenParams = Type.Object({ '*': Type.String({ maxLength: urlMax }) }, { additionalProperties: false })
/** Ignores parameters that gateways and other trackers add to a link. */
const AnyQuery = AnyObject()

export const trackingRoutes: Route[] = [
  route(`GET ${clickPath}*`, null, {
    access: 'public',
    tag: 'Tracking',
    summary: 'Follow a link of an email',
    unlimited: true,
    onTrackingHosts: true,
    params: TokenParams,
    query: AnyQuery,
    response: Type.String(),
    produces: 'text/html; charset=utf-8',
    handle: async ({ app, params, request, reply }) => followLink(app, params['*'], request, reply),
  }),
  route(`GET ${openPath}*`, null, {
    access: 'public',
    tag: 'Tracking',
    summary: 'The image that records an opening',
    unlimited: true,
    onTrackingHosts: true,
    params: TokenParams,
    query: AnyQuery,
    response: Type.String(),
    produces: 'image/gif',
    handle: async ({ app, params, request, reply }) => showPixel(app, params['*'], request, reply),
  }),
]
