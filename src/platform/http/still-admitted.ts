import type { FastifyReply } from 'fastify'
import { forbidden } from '../errors.ts'

/**
 * Throws if the caller's rights have ended since the request came. Answers that are read for a long time ask it between
 * their pieces: a client that reads slowly may take hours.
 */
export async function refuseEndedRights({ request }: FastifyReply): Promise<void> {
  if (!(await request.server.isStillAdmitted(request))) throw forbidden('The caller may not read this any more.')
}
