import type { FastifyRequest } from 'fastify'
import type { App } from '../../../context.ts'
import { keptAddress } from '../../../platform/network/network.ts'
import type { ReadTracked } from '../token.ts'
import { type BotReason, botReasonOf } from './bots.ts'

/** A request for a tracked link or image. */
export type Hit = {
  id: string
  type: 'opened' | 'clicked'
  teamId: string
  emailId: string
  at: Date
  ipAddress: string
  userAgent: string
  /** The link's target; null for an opening. */
  link: string | null
  /** The verdict from the request's headers alone. */
  botReason: BotReason | null
}

/** Real user agents have a few hundred characters. */
const userAgentLengthMax = 500

export function hitOf(app: App, { teamId, emailId, url }: ReadTracked, request: FastifyRequest): Hit {
  return {
    id: app.newId(),
    type: url === null ? 'opened' : 'clicked',
    teamId,
    emailId,
    at: app.clock.now(),
    ipAddress: keptAddress(app.config, request.ip),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
    link: url,
    botReason: botReasonOf(request.headers),
  }
}
