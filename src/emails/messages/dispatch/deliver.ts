import type { App } from '../../../context.ts'
import { defineJob, type JobResult, LeaseLost, sweepMs } from '../../../platform/jobs/job.ts'
import { returnHeldJob } from '../../../platform/jobs/leases.ts'
import { createSemaphore } from '../../../platform/limits/semaphore.ts'
import { perApp } from '../../../platform/per-app.ts'
import { deliverEmailJob, type EmailJob } from '../../jobs.ts'
import { bounceNotification, delayNotification, mailOf } from '../../notification.ts'
import type { DispatchOutcome, MessageHead } from '../../provider.ts'
import type { EmailFact } from '../facts/consequences.ts'
import { recordEmailFacts } from '../facts/record.ts'
import { suppressedFact } from '../facts/suppressed.ts'
import { describeOutbound } from '../outbound/compose.ts'
import { type Content, fillContent, findContent } from '../outbound/find-content.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { backoffMs, delayAfter, giveUpMs } from './backoff.ts'
import { type Begun, beginDispatch } from './begin.ts'
import { type HandOver, handOver } from './hand-over.ts'
import { factsOfHandOver, recordHanded } from './record.ts'
import { unrecordedMax } from './unrecorded.ts'

/** Sends emails that are due: scheduled ones, repeats, and emails that a process accepted before it died. */
export const deliverEmail = defineJob(deliverEmailJob, {
  // More than may be unrecorded, so that the next ones are begun while those are handed over.
  concurrency: 256,
  retryDelaysMs: backoffMs,
  async run(app, job) {
    const begun = await beginDispatch(app, job)
    if (begun.kind === 'gone') return undefined
    if (begun.kind === 'wait')
      return { runAt: begun.until, payload: { ...job.payload, waitingForLimit: true as const } }
    return dispatch(app, job, begun)
  },
})

type Ready = Extract<Begun, { kind: 'ready' }>

/** Waiting for a turn costs a begun email no memory: its content, which may be megabytes, is read in its turn. */
const turnsOf = perApp((_: App) => createSemaphore({ runningMax: unrecordedMax }))

function dispatch(app: App, job: EmailJob, ready: Ready): Promise<JobResult> {
  const { teamId, id, broadcast } = ready.email
  return turnsOf(app).run(async () => {
    // The process may exit before this hand-over is recorded, and the email would then be sent again.
    if (app.isDraining()) return { runAt: new Date(app.clock.now().getTime() + sweepMs) }
    const content = broadcast ? await fillContent(app, { ...broadcast, teamId }) : await findContent(app, teamId, id)
    return send(app, job, ready, content)
  })
}

async function send(app: App, job: EmailJob, ready: Ready, content: Content): Promise<JobResult> {
  const { email, domain, recipients, suppressed } = ready
  const { message, outcome, deliveries, leave } = await handOverVerified(app, job, {
    ...email,
    ...content,
    recipients,
    domain,
  })
  const blocked = suppressed.map((address) => suppressedFact(message, address))
  try {
    if (outcome.kind !== 'answered') return await repeatLater(app, job, message, outcome)
    const facts = [...factsOfHandOver(message, outcome), ...blocked]
    await recordHanded(app, { job, email, facts, deliveries, answer: null })
    return 'settled'
  } finally {
    leave()
  }
}

async function handOverVerified(app: App, job: EmailJob, email: Outbound): Promise<HandOver> {
  const { domain, recipients } = email
  if (domain.status === 'verified' && recipients.length > 0) return handOver(app, job, email, { repeatLost: true })
  const outcome: DispatchOutcome =
    domain.status === 'verified'
      ? { kind: 'answered', accepted: [], facts: [], response: null }
      : { kind: 'unavailable', message: `${domain.name} is not verified any more.` }
  return { message: describeOutbound(app, email), outcome, deliveries: [], leave: () => undefined }
}

/**
 * Tries an email again later, with the same Message-ID, and records why. A message whose outcome is unknown is repeated too,
 * because no caller got the answer that it was sent.
 */
async function repeatLater(
  app: App,
  job: EmailJob,
  message: MessageHead,
  outcome: Exclude<DispatchOutcome, { kind: 'answered' }>,
): Promise<JobResult> {
  const now = app.clock.now()
  const failures = (job.payload.failures ?? 0) + 1
  const firstFailedAt = job.payload.firstFailedAt ?? now.toISOString()
  if (now.getTime() - Date.parse(firstFailedAt) >= giveUpMs) return giveUp(app, job, message, outcome.message)
  const runAt = new Date(now.getTime() + delayAfter(failures))
  const payload: EmailJob['payload'] = { failures, firstFailedAt, counted: true }
  // An email that may have been sent can be neither cancelled nor rescheduled.
  const mayBeOut = outcome.kind === 'unknown'
  await app.transaction(async (tx) => {
    if (!(await returnHeldJob(tx, job, runAt, { error: outcome.message, payload }))) throw new LeaseLost()
    const email = { teamId: message.teamId, emailId: message.emailId }
    await recordEmailFacts(tx, [{ ...email, facts: failureFacts(message, outcome), settled: !mayBeOut }])
  })
  return 'settled'
}

function failureFacts(message: MessageHead, outcome: Exclude<DispatchOutcome, { kind: 'answered' }>): EmailFact[] {
  if (outcome.kind === 'unknown') {
    return [{ type: 'outcome_unknown', recipient: null, data: { message: outcome.message, mail: mailOf(message) } }]
  }
  const [recipient = ''] = message.envelope.to
  const diagnosis = { status: '4.4.1', diagnosticCode: outcome.message }
  return [{ type: 'delivery_delayed', recipient, data: delayNotification(message, recipient, diagnosis, message.at) }]
}

async function giveUp(app: App, job: EmailJob, message: MessageHead, reason: string): Promise<JobResult> {
  const diagnosis = {
    permanent: true,
    blamed: false,
    status: '4.4.7',
    diagnosticCode: `Given up after 24 hours: ${reason}`,
  }
  const facts = message.envelope.to.map((recipient): EmailFact => {
    const data = bounceNotification(message, recipient, diagnosis, message.at)
    return { type: 'bounced', recipient, permanent: true, suppress: false, data }
  })
  await recordHanded(app, {
    job,
    email: { teamId: message.teamId, id: message.emailId },
    facts,
    deliveries: [],
    answer: null,
  })
  return 'settled'
}
