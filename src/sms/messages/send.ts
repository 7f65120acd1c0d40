import { limitsOf } from '../../billing/plans.ts'
import type { App, Caller } from '../../context.ts'
import { answerOnce } from '../../platform/idempotency/answer-once.ts'
import { requestKey } from '../../platform/idempotency/keys.ts'
import { refuseUnverifiedTeam } from '../../teams/refuse-unverified.ts'
import { findSeveral } from '../queries.ts'
import type { SendSmsBody, Sms } from '../schema.ts'
import { acceptSms } from './accept/accept.ts'
import { parseSms } from './accept/parse.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'

const endpoint = 'POST /v1/sms'

/**
 * Sends one message. The message is durable and charged before it is handed over, and the outcome is recorded before
 * the response. Throws in the order of checks, and `providerFailed` if nothing was sent and nothing is stored.
 */
export async function sendSms(
  app: App,
  caller: Caller,
  body: SendSmsBody,
  idempotencyKey: string | null,
): Promise<Sms> {
  await refuseUnverifiedTeam(app, caller.teamId)
  const { teamId } = caller
  const key = requestKey(teamId, endpoint, idempotencyKey, body)
  return answerOnce(app, key, {
    async recover(ids) {
      const [sms] = await findSeveral(app.db, teamId, ids)
      return sms?.isAnswered ? sms : null
    },
    async make() {
      const commands = [parseSms(body)]
      const accepted = await acceptSms(app, { teamId, limits: limitsOf(caller), commands, key, isBatch: false })
      if (!accepted) return null
      return dispatchNow(app, { accepted: accepted[0]!, key })
    },
  })
}
