import { type TeamJob, teamJob } from '../platform/jobs/job.ts'
import type { WhatsappSenderStatus } from './senders/table.ts'
import type { WhatsappTemplateCategory } from './templates/table.ts'

/**
 * The template as it was when the message was accepted, since it may change or be deleted before a worker sends the
 * message.
 */
export type WhatsappMessageJob = TeamJob<{
  language?: string
  category?: WhatsappTemplateCategory
  components?: Record<string, unknown> | null
}>

/** Hands one message over. Its key is the message's id. Run by `whatsapp/messages/dispatch/deliver.ts`. */
export const deliverWhatsappJob = teamJob<WhatsappMessageJob['payload']>('whatsapp.deliver')

/** The sender's state before its verification began. */
export type VerifyWhatsappSenderJob = TeamJob<{ status: WhatsappSenderStatus; rejection_reason: string | null }>

/** Finishes the verification of a sender. Its key is the sender's id. Run by `whatsapp/senders/verify.ts`. */
export const verifyWhatsappSenderJob = teamJob<VerifyWhatsappSenderJob['payload']>('whatsapp.verify-sender')

/**
 * The account that reviews the template, whether the template was submitted there before, and the columns to restore.
 */
export type SubmitTemplateJob = TeamJob<{
  wabaId: string | null
  wasHandedIn: boolean
  before: { waba_id: string | null; provider_ref: string | null }
}>

/**
 * Finishes the submission of a template. Its key is the template's id. A review that arrives before the answer removes
 * it. Run by `whatsapp/templates/submit.ts`.
 */
export const submitTemplateJob = teamJob<SubmitTemplateJob['payload']>('whatsapp.submit-template')
