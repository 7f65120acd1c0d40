import type { App } from '../../../context.ts'
import { providerFailed } from '../../../platform/errors.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { boundedWait, whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import type { SmsAnswer } from '../../provider.ts'
import { findSms, type StoredSms } from '../../queries.ts'
import type { AcceptedSms } from '../accept/accepted.ts'
import { withdraw } from '../accept/withdraw.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

export type Wish = {
  key: RequestKey | null
  /** True to withdraw and refuse a message if the provider is out of reach, false to keep it as failed. */
  withdraws: boolean
}

/**
 * Hands a message over within its request, and returns the message as it is afterwards. The request holds the job of the
 * message: if this process dies, a worker finishes it. Throws `providerFailed` if the message was withdrawn, and
 * `unavailable` if it was handed over but cannot be recorded at the moment.
 */
export async function dispatchNow(app: App, message: AcceptedSms, wish: Wish): Promise<StoredSms> {
  const release = app.jobs.hold(message.job)
  const handing = handOver(app, message.job)
  handing.catch(release)
  try {
    const answer = await handing
    return await boundedWait(settle(app, message, answer, wish).finally(release))
  } catch (error) {
    if (error instanceof LeaseLost) return asItStands(app, message)
    throw error
  }
}

async function settle(app: App, message: AcceptedSms, answer: SmsAnswer | null, wish: Wish): Promise<StoredSms> {
  if (!answer) throw new LeaseLost()
  const { key, withdraws } = wish
  if (answer.kind !== 'unavailable' || !withdraws) return recordHanded(app, { job: message.job, answer, key })
  await whileDatabaseIsGone(() => app.transaction((tx) => withdraw(tx, message, key)))
  throw nothingSent(answer.message)
}

/**
 * Returns the stored message, for a process that was paused for longer than its lease or did not see its own commit.
 */
async function asItStands(app: App, { teamId, id }: AcceptedSms): Promise<StoredSms> {
  const sms = await findSms(app.db, teamId, id)
  if (!sms) throw nothingSent('The SMS provider was out of reach.')
  return sms
}

function nothingSent(why: string) {
  return providerFailed(`${why} Nothing was sent; the request can be repeated.`)
}
