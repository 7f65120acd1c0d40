import type { App, Tx } from '../../../../context.ts'
import { defineJob } from '../../../../platform/jobs/job.ts'
import { findJobKeys } from '../../../../platform/jobs/waiting-jobs.ts'
import { createByteBudget } from '../../../../platform/limits/byte-budget.ts'
import { createSpread } from '../../../../platform/limits/spread.ts'
import { modeOf } from '../../../../platform/mode/mode.ts'
import { perApp } from '../../../../platform/per-app.ts'
import { type Delivery, type DeliveryJob, deliverToDomainJob } from '../../../jobs.ts'
import type { MessageHead, Route } from '../../../provider.ts'
import {
  discardedFacts,
  finalFacts,
  givenUpRecipientFacts,
  openFacts,
  suppressedFact,
  unknownFact,
} from '../../facts/make.ts'
import { recordEmailFacts } from '../../facts/record.ts'
import { describeOutbound } from '../../outbound/compose.ts'
import { attemptsMax } from '../discard.ts'
import { backoffMs, cutOff, delayAfter, giveUpMs, lostRepeatsMax } from '../ending.ts'
import { enterUnrecorded } from '../hand-over.ts'
import { type Attempt, attemptDomain, preparingOf, type Way } from './attempt.ts'
import { findEmailToDeliver } from './find-email.ts'
import { type Recorded, recordDomainAttempt } from './record.ts'
import { keysOf, mayHave } from './split.ts'

/** The wait after the answer of a foreign host was lost, which may take long to handle the message that it has. */
const lostDelayMs = 10 * 60_000

/**
 * Delivers one email to its recipients at one domain, until each has accepted or refused it, or 24 hours have passed.
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
  const tried = await attemptDomain(app, job, way, found.email).finally(contents.end)
  const { suppressed } = found
  return recordedOf(job, describeOutbound(app, found.email), { ...tried, suppressed }, way, app.clock.now())
}

/** A process that ended while it had the job may have handed the email over, to any recipient and without a record. */
function deliveryOf({ payload, takeUps }: DeliveryJob): Delivery {
  return takeUps > 0 ? { ...payload, lostFor: payload.recipients } : payload
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

/** True if there is nothing new to record. Thousands of jobs may wait like this. */
function isJustWaiting({ since, told }: Delivery, { because }: Extract<Route, { kind: 'wait' }>, now: Date): boolean {
  const isOver = since !== null && now.getTime() - Date.parse(since) >= giveUpMs
  return !isOver && (told || because === null)
}

function waitAgain(delivery: Delivery, runAt: Date, now: Date): Recorded['again'] {
  const since = delivery.since ?? now.toISOString()
  return { runAt, payload: { ...delivery, since }, error: null }
}

/**
 * Turns the outcomes into facts, and says when recipients without a final answer are tried again. A recipient who may
 * have the email does not bounce when it is given up or suppressed, since a suppression may follow from the email.
 */
function recordedOf(
  job: DeliveryJob,
  message: MessageHead,
  { facts, outcomes, waitUntil, suppressed }: Attempt & { suppressed: string[] },
  way: Way,
  now: Date,
): Recorded {
  const delivery = deliveryOf(job)
  const deferred = outcomes.filter(({ result }) => result === 'deferred')
  const unknown = outcomes.filter(({ result }) => result === 'lost')
  const lost = delivery.lost + (unknown.length > 0 ? 1 : 0)
  const since = delivery.since ?? now.toISOString()
  const isOver = now.getTime() - Date.parse(since) >= giveUpMs
  const isLastLoss = isOver || delivery.repeatsLost === false || lost > lostRepeatsMax
  const open = outcomes.filter(({ result }) => (result === 'deferred' && !isOver) || (result === 'lost' && !isLastLoss))
  const told = [...(isOver ? [] : deferred), ...unknown]
  const isUnsent = (recipient: string) => !mayHave(delivery, recipient)
  const givenUp = isOver ? deferred : []
  const bounced = givenUp.filter(({ recipient }) => isUnsent(recipient))
  const ended = [...givenUp.map(({ recipient }) => recipient), ...suppressed]
  // A lost answer has its event already.
  const isUntold = lost === 0 && !ended.every(isUnsent)
  const known = [
    ...facts,
    ...finalFacts(message, outcomes, now),
    ...openFacts(message, told, now, !delivery.taken),
    ...givenUpRecipientFacts(message, bounced, now),
    ...suppressed.filter(isUnsent).map((address) => suppressedFact(message, address)),
    ...(isUntold ? [unknownFact(message, cutOff)] : []),
  ]
  if (open.length === 0) return { job, facts: known, again: null }
  const failures = delivery.failures + (waitUntil ? 0 : 1)
  const waitMs = Math.max(
    delayAfter(failures),
    way.kind !== 'relay' && unknown.length > 0 && !isLastLoss ? lostDelayMs : 0,
  )
  const runAt = waitUntil ?? new Date(now.getTime() + waitMs)
  const recipients = open.map(({ recipient }) => recipient)
  const lostNow = new Set(unknown.map(({ recipient }) => recipient))
  const lostFor = recipients.filter((recipient) => lostNow.has(recipient) || mayHave(delivery, recipient))
  const payload = { ...delivery, recipients, failures, lost, lostFor, since, told: true }
  return { job, facts: known, again: { runAt, payload, error: open[0]!.diagnosis.diagnosticCode.slice(0, 500) } }
}

/**
 * Bounces the recipients of a delivery whose job is discarded, except those who may have the email. The email is
 * settled if it was the last one.
 */
async function bounceDelivery(_: App, tx: Tx, job: DeliveryJob, reason: string): Promise<void> {
  const { teamId, payload, key } = job
  const { emailId, recipients } = payload
  const email = await tx.db
    .selectFrom('emails')
    .select(['message_id', 'from_address'])
    .where('team_id', '=', teamId)
    .where('id', '=', emailId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!email) return
  const { message_id: messageId, from_address: from } = email
  const unsent = recipients.filter((recipient) => !mayHave(payload, recipient))
  const message = { messageId, envelope: { to: unsent }, summary: { from }, at: tx.now }
  const others = keysOf(payload).filter((other) => other !== key)
  const settled = (await findJobKeys(tx.db, deliverToDomainJob, others)).size === 0
  await recordEmailFacts(tx, [
    { teamId, emailId, facts: discardedFacts(message, reason), settled, endsWaiting: settled },
  ])
}
