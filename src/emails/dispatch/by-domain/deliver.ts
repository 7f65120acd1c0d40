import type { App } from '../../../context.ts'
import type { Job, JobDefinition } from '../../../platform/jobs/job.ts'
import type { MessageHead, RecipientOutcome, Route } from '../../provider.ts'
import { delayAfter, giveUpMs } from '../backoff.ts'
import { describeOutbound } from '../compose.ts'
import { suppressedFact } from '../suppressed-fact.ts'
import { type Attempt, attempt, type Way } from './attempt.ts'
import { finalFacts, givenUpFacts, openFacts } from './facts.ts'
import { findEmailToDeliver } from './find-email.ts'
import { type Recorded, recordAttempt } from './record.ts'
import { type Delivery, deliveryOf, toDomainKind } from './split.ts'

/** A host that loses the answer again and again may have taken the message every time. */
const lostMax = 3
const lostDelayMs = 10 * 60_000

/** Delivers one email to those of its recipients who are at one domain, until each has it, has refused it, or a day is over. */
export const deliverToDomain: JobDefinition = {
  kind: toDomainKind,
  concurrency: 200,
  // For failures of ours, whose number the waits count in: what hosts do is not one.
  retryDelaysMs: [5000, 30_000, 120_000],
  async run(app, job) {
    const delivery = deliveryOf(job)
    const way = await findWay(app, delivery.domain)
    try {
      if (way.kind === 'wait' && isJustWaiting(app, delivery, way)) {
        await recordAttempt(app, { job, facts: [], again: waitAgain(app, delivery, way.until) })
        return 'settled'
      }
      const found = await findEmailToDeliver(app.db, job.teamId!, delivery)
      if (!found) return undefined
      const tried = await attempt(app, way, found.email)
      const message = describeOutbound(app, found.email)
      const blocked = found.suppressed.map((address) => suppressedFact(message, address))
      const recorded = consequencesOf(app, job, message, tried)
      await recordAttempt(app, { ...recorded, facts: [...recorded.facts, ...blocked] })
      return 'settled'
    } finally {
      if (way.kind === 'open') way.end()
    }
  },
}

async function findWay(app: App, domain: string): Promise<Way> {
  const provider = app.emailProvider
  return 'findRoute' in provider ? provider.findRoute(domain) : { kind: 'relay', provider }
}

/** There is nothing to tell, or it has been told: jobs that wait their turn come and go by the thousand. */
function isJustWaiting(app: App, { since, told }: Delivery, { because }: Extract<Route, { kind: 'wait' }>): boolean {
  const isOver = since !== null && app.clock.now().getTime() - Date.parse(since) >= giveUpMs
  return !isOver && (told || because === null)
}

function waitAgain(app: App, delivery: Delivery, runAt: Date): Recorded['again'] {
  const since = delivery.since ?? app.clock.now().toISOString()
  return { runAt, payload: { ...delivery, since }, error: null }
}

/** Who has no answer yet is tried again later, as long as there is a point in it. */
function consequencesOf(app: App, job: Job, message: MessageHead, { facts, outcomes, waitUntil }: Attempt): Recorded {
  const now = app.clock.now()
  const delivery = deliveryOf(job)
  const known = [...facts, ...finalFacts(message, outcomes, now)]
  const open = outcomes.filter(({ result }) => result === 'deferred' || result === 'lost')
  if (open.length === 0) return { job, facts: known, again: null }
  const isLost = open.some(({ result }) => result === 'lost')
  const since = delivery.since ?? now.toISOString()
  const lost = delivery.lost + (isLost ? 1 : 0)
  const why = reasonToGiveUp(now.getTime() - Date.parse(since), lost)
  if (why) return { job, facts: [...known, ...givenUpFacts(message, open, why, now)], again: null }
  const failures = delivery.failures + (waitUntil ? 0 : 1)
  const runAt = waitUntil ?? new Date(now.getTime() + Math.max(delayAfter(failures), isLost ? lostDelayMs : 0))
  const recipients = open.map(({ recipient }) => recipient)
  const payload = { ...delivery, recipients, failures, lost, since, told: true }
  return { job, facts: [...known, ...openFacts(message, open, now)], again: { runAt, payload, error: errorOf(open) } }
}

function reasonToGiveUp(sinceMs: number, lost: number): string | null {
  if (lost > lostMax) return `Given up, since the answer was lost ${lost} times`
  return sinceMs >= giveUpMs ? 'Given up after 24 hours' : null
}

function errorOf(open: RecipientOutcome[]): string {
  return open[0]!.diagnosis.diagnosticCode.slice(0, 500)
}
