import { limitsOf } from '../../billing/plans.ts'
import type { App, Caller, Limits } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { answerBatch, answerOnce } from '../../platform/idempotency/answer-once.ts'
import { type RequestKey, requestKey } from '../../platform/idempotency/keys.ts'
import { refuseUnverifiedTeam } from '../../teams/refuse-unverified.ts'
import { findSeveral } from '../queries.ts'
import { batchMax, type SendSmsBody, type Sms } from '../schema.ts'
import { acceptSms } from './accept/accept.ts'
import type { AcceptedSms } from './accept/accepted.ts'
import { parseSmsBatch } from './accept/parse.ts'
import { dispatchOfBatch } from './dispatch/dispatch-now.ts'

const endpoint = 'POST /v1/sms/batch'
/** The most messages of one batch that are handed over at the same time. */
const sendingMax = 10

type Summary = Pick<Sms, 'id' | 'to' | 'status' | 'segments' | 'senderName' | 'mode'>

/**
 * Sends several messages after all were checked, charged and accepted together. A message is stored as failed, and not
 * billed, if the provider refuses it or is out of reach; the others continue.
 */
export async function sendSmsBatch(
  app: App,
  caller: Caller,
  bodies: SendSmsBody[],
  idempotencyKey: string | null,
): Promise<{ data: Summary[] }> {
  await refuseUnverifiedTeam(app, caller.teamId)
  const limits = limitsOf(caller)
  const { teamId } = caller
  const key = requestKey(teamId, endpoint, idempotencyKey, { messages: bodies })
  return answerOnce(app, key, {
    recover: (ids) => recover(app, teamId, ids),
    async make() {
      refuseTooMany(bodies, limits)
      const commands = parseSmsBatch(bodies)
      const accepted = await acceptSms(app, { teamId, limits, commands, key, isBatch: true })
      return accepted && sendAll(app, accepted, key)
    },
  })
}

/** A plan without SMS has no batch size; its daily limit refuses the batch. */
function refuseTooMany(bodies: unknown[], { dailySmsLimit, smsBatchSize }: Limits): void {
  const sizeMax = dailySmsLimit === 0 ? batchMax : Math.min(smsBatchSize, batchMax)
  if (bodies.length > sizeMax) throw invalid('messages', `at most ${sizeMax} on the plan of this team`)
}

/** Returns the result of a batch that a worker finished after a process died. Null while messages have no answer. */
async function recover(app: App, teamId: string, ids: string[]): Promise<{ data: Summary[] } | null> {
  const messages = await findSeveral(app.db, teamId, ids)
  const isEnded = messages.length === ids.length && messages.every(({ isAnswered }) => isAnswered)
  return isEnded ? { data: messages.map(summaryOf) } : null
}

async function sendAll(app: App, accepted: AcceptedSms[], key: RequestKey | null): Promise<{ data: Summary[] }> {
  // Holds all leases from the start, since the last messages wait for the first ones.
  const releases = accepted.map(({ job }) => app.jobs.hold(job))
  try {
    const data: Summary[] = []
    const next = accepted.entries()
    // All lanes share one iterator, and each takes the next message when it is free.
    const lanes = Array.from({ length: sendingMax }, async () => {
      for (const [index, message] of next) {
        const sms = await dispatchOfBatch(app, { accepted: message, key: null, keepsFailed: true })
        data[index] = summaryOf(sms)
      }
    })
    const ended = await Promise.allSettled(lanes)
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
    await answerBatch(app, key, { status: 200, body: { data } })
    return { data }
  } finally {
    for (const release of releases) release()
  }
}

function summaryOf({ id, to, status, segments, senderName, mode }: Sms): Summary {
  return { id, to, status, segments, senderName, mode }
}
