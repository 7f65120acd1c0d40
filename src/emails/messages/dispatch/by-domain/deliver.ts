import type { App, Tx } from '../../../../context.ts'
import { defineJob } from '../../../../platform/jobs/job.ts'
import { changePayload } from '../../../../platform/jobs/leases.ts'
import { findJobKeys } from '../../../../platform/jobs/waiting-jobs.ts'
import { createByteBudget } from '../../../../platform/limits/byte-budget.ts'
import { createSpread } from '../../../../platform/limits/spread.ts'
import { modeOf } from '../../../../platform/mode/mode.ts'
import { perApp } from '../../../../platform/per-app.ts'
import { type Delivery, type DeliveryJob, deliverToDomainJob } from '../../../jobs.ts'
import type { Route } from '../../../provider.ts'
import { discardedFacts, unknownFact } from '../../facts/make.ts'
import { recordEmailFacts } from '../../facts/record.ts'
import { describeOutbound } from '../../outbound/compose.ts'
import { attemptsMax } from '../discard.ts'
import { backoffMs, cutOff } from '../ending.ts'
import { enterUnrecorded } from '../hand-over.ts'
import { attemptDomain, preparingOf, type Way } from './attempt.ts'
import { findEmailToDeliver } from './find-email.ts'
import { type Recorded, recordDomainAttempt } from './record.ts'
import { keysOf, mayHave } from './split.ts'
import { hasWaitedTooLong, sumUp, timeIsOver } from './sum-up.ts'

/**
 * Delivers one email to its recipients at one domain, until each has accepted or refused it, or `timeIsOver` says that
 * it took too long.
 */
export const deliverToDomain = defineJob(deliverToDomainJob, {
  atRestore: 'discard',
  // Most of these wait for a host, which costs little. A few hundred slow hosts must not hold all of them.
  concurrency: 2000,
  // For failures of this process. Answers of hosts are results, not failures.
  retryDelaysMs: backoffMs,
  attemptsMax,
  onDiscard: bounceDelivery,
  async run(app, job) {
    const delivery = job.payload
    const way = await findWay(app, job.teamId, delivery.domain)
    const leave = way.kind === 'relay' ? await enterUnrecorded(app, 0) : () => undefined
    if (!leave) return { runAt: inAMoment(app) }
    try {
      // The next message need not wait until this one is recorded.
      const recorded = await deliverOnce(app, job, way).finally(() => way.kind === 'open' && way.end())
      if (!recorded) return undefined
      await recordDomainAttempt(app, recorded)
      return 'recorded'
    } finally {
      leave()
    }
  },
})

async function findWay(app: App, teamId: string, domain: string): Promise<Way> {
  const provider = app.providers.email[modeOf(teamId)]
  return 'findRoute' in provider ? provider.findRoute(domain) : { kind: 'relay', provider }
}

/** Tries to hand the email over once, unless it waits for its host. Null if the team was deleted. */
async function deliverOnce(app: App, job: DeliveryJob, way: Way): Promise<Recorded | null> {
  const delivery = deliveryOf(job)
  if (way.kind === 'wait' && isJustWaiting(delivery, way, app.clock.now())) {
    return { job, facts: [], again: waitAgain(delivery, way.until, app.clock.now()) }
  }
  const found = await preparingOf(app).run(() => findEmailToDeliver(app, job.teamId, delivery))
  if (!found) return null
  if (found.unwanted) return { job, facts: [], again: null, unwanted: found.unwanted }
  const contents = contentsOf(app).lease(job.teamId)
  if (!contents.take(found.contentBytes))
    return { job, facts: [], again: waitAgain(delivery, inAMoment(app), app.clock.now()) }
  const attempt = await attemptDomain(app, job, way, found.email).finally(contents.end)
  const tried = { ...attempt, way, suppressed: found.suppressed }
  return sumUp(job, delivery, describeOutbound(app, found.email), tried, app.clock.now())
}

/** A process that ended while it had the job may have handed the email over, to any recipient and without a record. */
function deliveryOf({ payload, wasTakenUp }: DeliveryJob): Delivery {
  return wasTakenUp ? { ...payload, lostFor: payload.recipients } : payload
}

/**
 * Bounds the memory for contents. A large email to many slow hosts is in memory once for each of them, at up to three
 * times its size: as text, composed, and while it is written. The largest is 40 MiB.
 */
const contentsOf = perApp(() => createByteBudget(128 * 1024 * 1024))

const momentOf = perApp(() => createSpread(1000))

/** Returns a random time in 1 to 2 s. */
function inAMoment(app: App): Date {
  return new Date(momentOf(app)(app.clock.now().getTime() + 1000))
}

/**
 * True if there is nothing new to record. Thousands of jobs may wait like this. A busy host has not failed, so the
 * email is not given up because of it 24 hours after an earlier failure.
 */
function isJustWaiting(delivery: Delivery, { because }: Extract<Route, { kind: 'wait' }>, now: Date): boolean {
  return because === null ? !hasWaitedTooLong(delivery) : delivery.told && !timeIsOver(delivery, now)
}

function waitAgain(delivery: Delivery, runAt: Date, now: Date): Recorded['again'] {
  const waitedMs = (delivery.waitedMs ?? 0) + Math.max(0, runAt.getTime() - now.getTime())
  return { runAt, payload: { ...delivery, waitedMs }, error: null }
}

/**
 * Bounces the recipients of a delivery whose job is discarded, except those who may have the email: their outcome stays
 * unknown. The email is settled if it was the last one.
 */
async function bounceDelivery(_: App, tx: Tx, job: DeliveryJob, reason: string): Promise<void> {
  const { teamId, payload, key } = job
  // Where processes ended at composing it, none has handed it over since.
  const delivery = job.endings > 0 ? payload : deliveryOf(job)
  const { emailId, recipients } = delivery
  const email = await tx.db
    .selectFrom('emails')
    .select(['message_id', 'from_address'])
    .where('team_id', '=', teamId)
    .where('id', '=', emailId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!email) return
  const { message_id: messageId, from_address: from } = email
  const unsent = recipients.filter((recipient) => !mayHave(delivery, recipient))
  const messageTo = (to: string[]) => ({ messageId, envelope: { to }, summary: { from }, at: tx.now })
  // A lost answer has its event already.
  const isUntold = unsent.length < recipients.length && delivery.lost === 0
  const facts = [
    ...discardedFacts(messageTo(unsent), reason),
    ...(isUntold ? [unknownFact(messageTo(recipients), cutOff)] : []),
  ]
  // A delivery that is repeated by an operator must know who may have the email.
  if (delivery !== payload) await changePayload(tx, job, delivery)
  const others = keysOf(payload).filter((other) => other !== key)
  const settled = (await findJobKeys(tx.db, deliverToDomainJob, others)).size === 0
  await recordEmailFacts(tx, [{ teamId, emailId, facts, settled, endsWaiting: settled }])
}
