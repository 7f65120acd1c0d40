import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../context.ts'
import { seesSystemMail } from '../emails/system-mail.ts'
import { notFound } from '../platform/errors.ts'
import { findInboxMessage } from './queries.ts'
import { partSummaryOf, readMessage } from './read-message.ts'

const rawType = 'message/rfc822'

/**
 * Returns the parsed message, or the raw one if the request asks for `message/rfc822`. Throws `notFound`, also for
 * system mail that the caller may not see.
 */
export async function getInboxMessage(
  app: App,
  caller: Caller,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const stored = await findSeenMessage(app, caller, id)
  reply.header('Vary', 'Accept')
  if (wantsRaw(request.headers.accept ?? '')) {
    reply.type(rawType)
    return stored.raw
  }
  const { raw, bcc, system: _, ...summary } = stored
  const { parts, ...message } = await readMessage(raw)
  return { ...summary, bcc: bcc.length > 0 ? bcc : null, ...message, attachments: parts.map(partSummaryOf) }
}

/** Finds a message with its raw bytes. Throws `notFound`, also for system mail that the caller may not see. */
export async function findSeenMessage(app: App, caller: Caller, id: string) {
  const stored = await findInboxMessage(app.db, caller.teamId, id)
  if (!stored || (stored.system && !seesSystemMail(caller))) throw notFound('message in the inbox')
  return stored
}

/**
 * Tells whether the raw message is named and ranked before JSON. `*` does not count, because most clients send it by
 * default.
 */
function wantsRaw(accept: string): boolean {
  const raw = qualityOf(accept, rawType)
  return raw > 0 && raw >= qualityOf(accept, 'application/json')
}

/** Returns the quality value of a type (RFC 9110, section 12.5.1), 0 if it is not named. */
function qualityOf(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}
