import { type TeamJob, teamJob } from '../platform/jobs/job.ts'
import type { SmsSenderStatus } from './senders/table.ts'

/** Hands one message over. Its key is the message's id. Run by `sms/messages/dispatch/deliver.ts`. */
export const deliverSmsJob = teamJob('sms.deliver')

/** The sender's status before its verification began. */
export type VerifySmsSenderJob = TeamJob<{ status?: SmsSenderStatus }>

/** Finishes the verification of a sender. Its key is the sender's id. Run by `sms/senders/verify.ts`. */
export const verifySmsSenderJob = teamJob<VerifySmsSenderJob['payload']>('sms.verify-sender')

/**
 * Asks the provider for the price of a message. Its key is the message's id. Run by `sms/messages/facts/find-price.ts`.
 */
export const findSmsPriceJob = teamJob('sms.find-price')
