import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { findTracked } from './find-tracked.ts'
import { hitOf } from './hits/hit.ts'
import { recordHit } from './hits/record.ts'
import { answerUnknownLink } from './unknown-link.ts'

/** One transparent pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Sends the image at the end of an email. Records the opening. */
export async function showPixel(app: App, token: string, request: FastifyRequest, reply: FastifyReply) {
  const tracked = await findTracked(app, token)
  if (!tracked || tracked.url !== null) return answerUnknownLink(reply)
  if (request.method !== 'HEAD') recordHit(app, hitOf(app, tracked, request))
  // Web mail shows the image on pages of another origin.
  reply.headers({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  return reply.type('image/gif').send(gif)
}
