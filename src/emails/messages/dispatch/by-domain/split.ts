import type { NewJob } from '../../../../platform/jobs/enqueue.ts'
import { domainOf } from '../../../../platform/mail-address.ts'
import type { Delivery, DeliveryJob } from '../../../jobs.ts'
import type { MessageHead, RecipientOutcome } from '../../../provider.ts'
import { delayAfter } from '../backoff.ts'

/** A server that loses an answer is not asked again before this. */
export const lostDelayMs = 10 * 60_000

/** One job for each domain; the key tells one from the next. */
export function splitByDomain({ teamId, emailId, envelope }: MessageHead): NewJob<DeliveryJob>[] {
  const domains = [...Map.groupBy(envelope.to, domainOf)]
  return domains.map(([domain, recipients], index) => {
    const payload: Delivery = {
      emailId,
      domain,
      recipients,
      of: domains.length,
      failures: 0,
      lost: 0,
      since: null,
      told: false,
    }
    return { teamId, key: keyOf(emailId, index), payload }
  })
}

/** After a first attempt that left some recipients open: the jobs that try them again. */
export function repeatByDomain(message: MessageHead, open: RecipientOutcome[], now: Date): NewJob<DeliveryJob>[] {
  const lost = new Set(open.flatMap(({ recipient, result }) => (result === 'lost' ? recipient : [])))
  const to = open.map(({ recipient }) => recipient)
  return splitByDomain({ ...message, envelope: { ...message.envelope, to } }).map((job) => {
    const delivery = job.payload
    const hasLost = delivery.recipients.some((recipient) => lost.has(recipient))
    const payload = { ...delivery, failures: 1, lost: hasLost ? 1 : 0, since: now.toISOString(), told: true }
    const runAt = new Date(now.getTime() + (hasLost ? lostDelayMs : delayAfter(1)))
    return { ...job, payload, runAt }
  })
}

/** The keys of an email's jobs, done or not. */
export function keysOf({ emailId, of }: Delivery): string[] {
  return Array.from({ length: of }, (_, index) => keyOf(emailId, index))
}

function keyOf(emailId: string, index: number): string {
  return `${emailId}/${index}`
}
