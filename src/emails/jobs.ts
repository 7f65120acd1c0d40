import { type TeamJob, teamJob } from '../platform/jobs/job.ts'

export type EmailJob = TeamJob<{
  /** The email has been counted against the day's limit. */
  counted?: true
  /** Chooses the delay before the next attempt. The job's own `failures` are attempts that threw. */
  failures?: number
  /** ISO 8601. */
  firstFailedAt?: string
  /** Attempts whose answer was lost. The email counts as sent since the first. */
  lost?: number
  /** A process ended while it had the email, and may have handed it over. */
  cut?: true
  /** The job waits for a limit of its team, and runs as soon as the limit is raised. */
  waitingForLimit?: true
}>

/** Hands one email over. Its key is the email's id. Run by `emails/messages/dispatch/deliver.ts`. */
export const deliverEmailJob = teamJob<EmailJob['payload']>('emails.deliver')

/** The delivery of one email to its recipients at one domain. */
export type Delivery = {
  emailId: string
  domain: string
  /** The recipients who have neither received nor refused it. */
  recipients: string[]
  /** The number of jobs that the email was split into. */
  of: number
  /** Chooses the delay before the next attempt. The job's own `failures` are attempts that threw. */
  failures: number
  /** Attempts whose answer was lost. */
  lost: number
  /**
   * The recipients they were about, and those whom a process that ended may have reached. Earlier versions left it out.
   */
  lostFor?: string[]
  /** False if a lost answer is final. */
  repeatsLost?: boolean
  /** Others have the email, so that a delay does not move its status. */
  taken?: boolean
  /** The time of the first failure, as ISO 8601; null before. */
  since: string | null
  /** How long it has waited for busy hosts, DNS and memory, in all. Earlier versions left it out. */
  waitedMs?: number
  /** True if an event has said why it is delayed. */
  told: boolean
}

export type DeliveryJob = TeamJob<Delivery>

/**
 * Delivers one email to its recipients at one domain. Its key is the email's id and the number of the domain. Run by
 * `emails/messages/dispatch/by-domain/deliver.ts`.
 */
export const deliverToDomainJob = teamJob<Delivery>('emails.deliver-to-domain')
