import type { App } from '../../../../context.ts'
import { isSuspect, runAlone } from '../../../../platform/jobs/alone.ts'
import { holdsLease, type Job, LeaseLost } from '../../../../platform/jobs/job.ts'
import { createSemaphore } from '../../../../platform/limits/semaphore.ts'
import { perApp } from '../../../../platform/per-app.ts'
import type { OutboundMessage, RecipientOutcome, Route, WholeProvider } from '../../../provider.ts'
import { openRecipient } from '../../../providers/one-by-one.ts'
import type { Addressed } from '../../email.ts'
import type { EmailFact } from '../../facts/consequences.ts'
import { composeOutbound } from '../../outbound/compose.ts'
import { findContent } from '../../outbound/find-content.ts'
import { sendUnderLease } from '../hand-over.ts'

export type Attempt = {
  /** Facts of a relay, which are not about one recipient and one host. */
  facts: EmailFact[]
  outcomes: RecipientOutcome[]
  /** No server was asked. The attempt does not count, and the job runs again at this time. */
  waitUntil: Date | null
}

/** `relay`: the provider was changed after the email had been split. */
export type Way = Route | { kind: 'relay'; provider: WholeProvider }

/**
 * Limits reading and composing for deliveries to 32 at a time. More would only wait for the database's connections,
 * ahead of requests that wait for an answer. As many deliveries may wait as there are jobs.
 */
export const preparingOf = perApp(() => createSemaphore({ runningMax: 32 }))

export async function attemptDomain(app: App, job: Job, way: Way, email: Addressed): Promise<Attempt> {
  const { domain, recipients } = email
  const all = (result: RecipientOutcome['result'], diagnosis: RecipientOutcome['diagnosis'], blamed = false) => {
    return recipients.map((recipient) => ({ recipient, result, blamed, diagnosis, peer: null }))
  }
  if (recipients.length === 0) return answered([])
  if (way.kind === 'wait') return { facts: [], outcomes: all('deferred', way.because ?? busy), waitUntil: way.until }
  if (way.kind === 'closed') return answered(all(way.permanent ? 'refused' : 'deferred', way.diagnosis, way.blamed))
  if (domain.status !== 'verified') {
    return answered(all('deferred', { status: '4.7.0', diagnosticCode: `${domain.name} is not verified any more.` }))
  }
  const prepare = () => preparingOf(app).run(() => messageOf(app, email))
  const message = await (isSuspect(job) ? runAlone(app, job, prepare) : prepare())
  if (!holdsLease(job, app.clock.now())) throw new LeaseLost()
  return way.kind === 'open' ? answered(await way.deliver(message)) : relay(app, job, way.provider, message)
}

/** A separate function, so that the content can be freed while the attempt waits for a host. */
async function messageOf(app: App, email: Addressed): Promise<OutboundMessage> {
  const content = await findContent(app, email.teamId, email.id)
  return composeOutbound(app, { ...email, ...content })
}

const busy = { status: '4.4.5', diagnosticCode: 'The mail hosts of the domain take no more connections for now.' }

function answered(outcomes: RecipientOutcome[]): Attempt {
  return { facts: [], outcomes, waitUntil: null }
}

async function relay(app: App, job: Job, provider: WholeProvider, message: OutboundMessage): Promise<Attempt> {
  const answer = await sendUnderLease(app, job, provider, message)
  if (answer.kind === 'answered') return { facts: answer.facts, outcomes: answer.open ?? [], waitUntil: null }
  return answered(message.envelope.to.map((recipient) => openRecipient(recipient, answer)))
}
