import { limitsOf } from '../billing/plans.ts'
import type { App, Caller } from '../context.ts'
import { findResponse, onceForKey, type RequestKey, requestKey } from '../platform/idempotency/keys.ts'
import { accept } from './accept/accept.ts'
import { parseMessages } from './accept/command.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'
import { refuseDomainKey } from './domain-key.ts'
import { findSeveral, type StoredSms } from './queries.ts'
import type { SendSmsBody } from './schema.ts'

const endpoint = 'POST /v1/sms'

/**
 * Sends one message. Durable and paid for before it is handed over, recorded before it is answered. Throws by the order of
 * checks; `providerFailed` where nothing was sent and nothing is stored.
 */
export async function sendSms(
  app: App,
  caller: Caller,
  body: SendSmsBody,
  idempotencyKey: string | null,
): Promise<StoredSms> {
  const commands = parseMessages([body], () => '')
  refuseDomainKey(caller)
  const { teamId } = caller
  const key = requestKey(teamId, endpoint, idempotencyKey, body)
  return onceForKey(
    () => findKnown(app, teamId, key),
    async () => {
      const accepted = await accept(app, { teamId, limits: limitsOf(caller), commands, key, isBatch: false })
      return accepted && dispatchNow(app, accepted[0]!, { key, withdraws: true })
    },
  )
}

async function findKnown(app: App, teamId: string, key: RequestKey | null): Promise<StoredSms | null> {
  if (!key) return null
  const response = await findResponse(app, key, async (ids) => {
    const [sms] = await findSeveral(app.db, teamId, ids)
    return sms?.isAnswered ? { status: 200, body: sms } : null
  })
  return response && (response.body as StoredSms)
}
