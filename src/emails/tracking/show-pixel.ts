import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { findTracked } from './find-tracked.ts'
import { hitOf } from './hits/hit.ts'
import { recordHit } from './hits/record.ts'
import { answerUnknownLink } from './unknown-link.ts'

/** One transparent pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The image at the end of an email, whose loading tells of the opening. */
export async function showPixel(app: App, token: string, request: FastifyRequest, reply: FastifyReply) {
  const tracked = await findTracked(app, token)
  if (!tracked || tracked.url !== null) return answerUnknownLink(reply)
  if (request.method !== 'HEAD') recordHit(app, hitOf(app, tracked, request))
  // Shown on the pages of web mail, which are of another origin.
  reply.headers({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  return reply.type('image/gif').send(gif)
}
