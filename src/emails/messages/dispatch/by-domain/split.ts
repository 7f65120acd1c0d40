import type { NewJob } from '../../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../../platform/jobs/job.ts'
import { domainOf } from '../../../../platform/mail-address.ts'
import type { MessageHead, RecipientOutcome } from '../../../provider.ts'
import { delayAfter } from '../backoff.ts'

/** The job that delivers one email to those of its recipients who are at one domain. */
export const toDomainKind = 'emails.deliver-to-domain'

/** A server that loses an answer is not asked again before this. */
export const lostDelayMs = 10 * 60_000

/** What such a job remembers. */
export type Delivery = {
  emailId: string
  domain: string
  /** Those who have neither got it nor refused it. */
  recipients: string[]
  /** Jobs the email was split into. */
  of: number
  failures: number
  /** Attempts whose answer was lost. */
  lost: number
  /** Since when it could not be delivered; null before the first attempt. */
  since: string | null
  /** An event says why. */
  told: boolean
}

/** One job for each domain; the key tells one from the next. */
export function splitByDomain({ teamId, emailId, envelope }: MessageHead): NewJob[] {
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
    return { kind: toDomainKind, teamId, key: keyOf(emailId, index), payload }
  })
}

/** After a first attempt that left some recipients open: the jobs that try them again. */
export function repeatByDomain(message: MessageHead, open: RecipientOutcome[], now: Date): NewJob[] {
  const lost = new Set(open.flatMap(({ recipient, result }) => (result === 'lost' ? recipient : [])))
  const to = open.map(({ recipient }) => recipient)
  return splitByDomain({ ...message, envelope: { ...message.envelope, to } }).map((job) => {
    const delivery = job.payload as Delivery
    const hasLost = delivery.recipients.some((recipient) => lost.has(recipient))
    const payload = { ...delivery, failures: 1, lost: hasLost ? 1 : 0, since: now.toISOString(), told: true }
    const runAt = new Date(now.getTime() + (hasLost ? lostDelayMs : delayAfter(1)))
    return { ...job, payload, runAt }
  })
}

export function deliveryOf(job: Job): Delivery {
  return job.payload as Delivery
}

/** The keys of an email's jobs, done or not. */
export function keysOf({ emailId, of }: Delivery): string[] {
  return Array.from({ length: of }, (_, index) => keyOf(emailId, index))
}

function keyOf(emailId: string, index: number): string {
  return `${emailId}/${index}`
}
