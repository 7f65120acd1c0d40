import type { App, Tx } from '../context.ts'
import { DomainError } from '../platform/errors.ts'
import { defineJob, LeaseLost } from '../platform/jobs/job.ts'
import { deleteHeldJobs } from '../platform/jobs/leases.ts'
import { acceptLetters } from './accept.ts'
import { type Order, sendSystemMailJob } from './jobs.ts'
import { writeAccountMail } from './letters/account.ts'
import { writeInvitation } from './letters/invitation.ts'
import { writeLimitMail } from './letters/limit.ts'
import type { Post } from './letters/post.ts'
import { writeWebhookMail } from './letters/webhook.ts'

/** The mail, the token in it and the end of the job are one commit, so that an order makes one mail. */
export const sendSystemMail = defineJob(sendSystemMailJob, {
  concurrency: 4,
  retryDelaysMs: [1000, 10_000, 60_000],
  async run(app, job) {
    try {
      await app.transaction(async (tx) => {
        if (!(await deleteHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
        await acceptLetters(tx, app, await writeMail(tx, app, job.payload))
      })
      return 'settled'
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // The message may name the addressee, who does not belong into a log.
      const { name = error.kind } = error.details
      app.log.warn({ about: job.payload.about, refusal: name }, `system mail was not sent: ${adviceOf(name)}`)
      return undefined
    }
  },
})

function adviceOf(name: string): string {
  if (name === 'domain_not_verified') return 'the domain of SYSTEM_FROM is not a verified domain of SYSTEM_TEAM'
  if (name === 'recipient_suppressed') return 'the address is on the suppression list of SYSTEM_TEAM'
  return 'SYSTEM_TEAM may not send it'
}

async function writeMail(tx: Tx, app: App, order: Order): Promise<Post[]> {
  if ('webhookId' in order) return writeWebhookMail(tx, app, order)
  if (order.about === 'limit') return writeLimitMail(tx, app, order)
  if (order.about === 'invitation') return writeInvitation(tx, app, order)
  return writeAccountMail(tx, app, order)
}
