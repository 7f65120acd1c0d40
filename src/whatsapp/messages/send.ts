import type { App, Caller } from '../../context.ts'
import { answerOnce } from '../../platform/idempotency/answer-once.ts'
import { requestKey } from '../../platform/idempotency/keys.ts'
import { findJobKeys } from '../../platform/jobs/waiting-jobs.ts'
import { refuseUnverifiedTeam } from '../../teams/refuse-unverified.ts'
import { deliverWhatsappJob } from '../jobs.ts'
import { acceptWhatsapp } from './accept/accept.ts'
import { parseWhatsapp } from './accept/parse.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'
import { findWhatsappMessage } from './queries.ts'
import type { SendWhatsappBody, WhatsappMessage } from './schema.ts'

const endpoint = 'POST /v1/whatsapp/messages'

/**
 * Sends one message. The message is durable and marked before it is handed over, and the outcome is recorded before the
 * response. Throws in the order of checks, and `providerFailed` if nothing was sent and nothing is stored.
 */
export async function sendWhatsappMessage(
  app: App,
  caller: Caller,
  body: SendWhatsappBody,
  idempotencyKey: string | null,
): Promise<WhatsappMessage> {
  await refuseUnverifiedTeam(app, caller.teamId)
  const { teamId } = caller
  const key = requestKey(teamId, endpoint, idempotencyKey, body)
  return answerOnce(app, key, {
    recover: ([id = '']) => recover(app, teamId, id),
    async make() {
      const accepted = await acceptWhatsapp(app, { teamId, command: parseWhatsapp(body), key })
      return accepted && dispatchNow(app, { accepted, key })
    },
  })
}

/**
 * Null while the job exists, that is until the outcome is recorded. Reads the job first, so that the message has its
 * outcome.
 */
async function recover(app: App, teamId: string, id: string): Promise<WhatsappMessage | null> {
  const isUnderWay = (await findJobKeys(app.db, deliverWhatsappJob, [id])).has(id)
  return isUnderWay ? null : ((await findWhatsappMessage(app.db, teamId, id)) ?? null)
}
