import type { App } from '../../../context.ts'
import { isSuspect, runAlone } from '../../../platform/jobs/alone.ts'
import { defineJob, type JobResult, sweepMs } from '../../../platform/jobs/job.ts'
import { changePayload } from '../../../platform/jobs/leases.ts'
import { createSemaphore } from '../../../platform/limits/semaphore.ts'
import { perApp } from '../../../platform/per-app.ts'
import { deliverEmailJob, type EmailJob } from '../../jobs.ts'
import type { EmailAnswer } from '../../provider.ts'
import type { Outbound } from '../email.ts'
import { suppressedFact } from '../facts/make.ts'
import { composeOutbound, describeOutbound } from '../outbound/compose.ts'
import { type Content, fillContent, findContent } from '../outbound/find-content.ts'
import { type Begun, beginDispatch } from './begin.ts'
import { attemptsMax, bounceDiscarded, revive } from './discard.ts'
import { answerWasLost, backoffMs, cutOff, endingOf, wasCut } from './ending.ts'
import { type HandOver, handOver, notHandedOver, unrecordedMax } from './hand-over.ts'
import { recordHanded } from './record.ts'
import { returnLimited } from './return-limited.ts'

/** Sends emails that are due: scheduled ones, repeats, and emails that a process accepted before it died. */
export const deliverEmail = defineJob(deliverEmailJob, {
  atRestore: 'discard',
  // This is more than may be unrecorded, so that the next ones are begun while those are handed over.
  concurrency: 256,
  retryDelaysMs: backoffMs,
  attemptsMax,
  onDiscard: bounceDiscarded,
  onRetry: revive,
  async run(app, job) {
    const begun = await beginDispatch(app, job)
    if (begun.kind === 'gone') return undefined
    if (begun.kind === 'wait') return returnLimited(app, { job, ...begun })
    return deliverInTurn(app, job, begun)
  },
})

type Ready = Extract<Begun, { kind: 'ready' }>

/**
 * Bounds the contents in memory, each of which may be megabytes: a begun email reads its content in its turn. There are
 * as many turns as places of unrecorded emails, which `handOver` counts with those of requests.
 */
const turnsOf = perApp((_: App) => createSemaphore({ runningMax: unrecordedMax }))

function deliverInTurn(app: App, job: EmailJob, ready: Ready): Promise<JobResult> {
  return turnsOf(app).run(async () => {
    // The process may exit before this hand-over is recorded, and the email would then be sent again.
    if (app.isDraining()) return { runAt: new Date(app.clock.now().getTime() + sweepMs) }
    if (isSuspect(job)) await composeAlone(app, job, ready)
    return handOverAndRecord(app, job, ready, await readContent(app, ready))
  })
}

function readContent(app: App, { email: { teamId, id, broadcast } }: Ready): Promise<Content> {
  return broadcast ? fillContent(app, { ...broadcast, teamId }) : findContent(app, teamId, id)
}

/**
 * Composes the message once and drops it, while no other suspect is composed: if this ends the process, the job is
 * known as the cause. The content is read again for the hand-over, and is not in memory while the job waits for others.
 */
async function composeAlone(app: App, job: EmailJob, ready: Ready): Promise<void> {
  await runAlone(app, job, async () => composeOutbound(app, outboundOfReady(ready, await readContent(app, ready))))
}

async function handOverAndRecord(app: App, job: EmailJob, ready: Ready, content: Content): Promise<JobResult> {
  const { email, suppressed } = ready
  const handed = await tryHandOver(app, job, outboundOfReady(ready, content), email.broadcast !== null)
  // Once the email may have arrived, the suppression may be its own consequence, so it is recorded as no bounce.
  const blocked =
    answerWasLost(job) || wasCut(job) ? [] : suppressed.map((address) => suppressedFact(handed.message, address))
  try {
    const ending = endingOf(job, handed, app.clock.now())
    // If the email is tried again, that attempt looks up the suppressions anew.
    const facts = ending.again ? ending.facts : [...ending.facts, ...blocked]
    await recordHanded(app, { job, email, ending: { ...ending, facts }, response: null }).catch(async (error) => {
      if (handed.mayBeOut) await noteUnrecorded(app, job)
      throw error
    })
    return 'recorded'
  } finally {
    handed.leave()
  }
}

/** Lets the next attempt know that the email may have arrived. Does nothing if the lease was lost. */
async function noteUnrecorded(app: App, job: EmailJob): Promise<void> {
  await app.transaction((tx) => changePayload(tx, job, { ...job.payload, cut: true }))
}

function outboundOfReady({ email, domain, recipients }: Ready, content: Content): Outbound {
  return { ...email, ...content, recipients, domain }
}

/** Answers in place of the provider if the domain is no longer verified, or if all recipients are suppressed. */
async function tryHandOver(app: App, job: EmailJob, email: Outbound, isBroadcast: boolean): Promise<HandOver> {
  const { domain, recipients } = email
  if (domain.status !== 'verified') return notHandedOver(describeOutbound(app, email), unverified(domain.name))
  if (recipients.length > 0) return handOver(app, job, email, { isBroadcast })
  // It is not repeated, and the outcome of the first hand-over is not known.
  const isUnknown = wasCut(job) && !answerWasLost(job)
  return notHandedOver(describeOutbound(app, email), isUnknown ? { kind: 'unknown', message: cutOff } : nobodyLeft)
}

const nobodyLeft: EmailAnswer = { kind: 'answered', accepted: [], facts: [], response: null }

function unverified(name: string): EmailAnswer {
  const message = `${name} is not verified any more.`
  return { kind: 'unavailable', message, diagnosis: { status: '4.7.0', diagnosticCode: message }, isReachable: true }
}
