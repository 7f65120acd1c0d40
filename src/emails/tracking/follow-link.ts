import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { findTracked } from './find-tracked.ts'
import { hitOf } from './hits/hit.ts'
import { recordHit } from './hits/record.ts'
import { answerUnknownLink } from './unknown-link.ts'

/** Redirects a reader to the target of an email's link. Records the click. */
export async function followLink(app: App, token: string, request: FastifyRequest, reply: FastifyReply) {
  const tracked = await findTracked(app, token)
  if (!tracked || tracked.url === null) return answerUnknownLink(reply)
  // A HEAD request only checks whether the link works.
  if (request.method !== 'HEAD') recordHit(app, hitOf(app, tracked, request))
  return reply.status(302).headers({ Location: tracked.url, 'Cache-Control': 'no-store' }).send()
}
