import type { NewJob } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { domainOf } from '../../../platform/mail-address.ts'
import type { MessageHead } from '../../provider.ts'

/** The job that delivers one email to those of its recipients who are at one domain. */
export const toDomainKind = 'emails.deliver-to-domain'

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
