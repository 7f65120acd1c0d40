import type { App, Tx } from '../context.ts'
import { DomainError } from '../platform/errors.ts'
import { defineJob, type JobResult, type SystemJob } from '../platform/jobs/job.ts'
import { endHeldJob } from '../platform/jobs/leases.ts'
import { perApp } from '../platform/per-app.ts'
import { acceptLetters } from './accept.ts'
import { BoundReached, countSystemMail, nextHour } from './count.ts'
import { isAwaited, type Order, sendSystemMailJob, sendSystemMailLaterJob } from './jobs.ts'
import { writeAccountMail } from './letters/account.ts'
import { writeFormerAddressMail, writeNewAddressMail } from './letters/address.ts'
import { writeDeletedMail } from './letters/deleted.ts'
import { writeInvitation } from './letters/invitation.ts'
import { writeLimitMail } from './letters/limit.ts'
import { writeNewOwnerMail } from './letters/new-owner.ts'
import type { Post } from './letters/post.ts'
import { writeWebhookMail } from './letters/webhook.ts'
import { hasRoomForOthers } from './room.ts'

const retryDelaysMs = [1000, 10_000, 60_000]
const noRoomWaitMs = 1000

/** Resets and verifications, which go before all other mail. */
export const sendSystemMail = defineJob(sendSystemMailJob, {
  atRestore: 'discard',
  concurrency: 4,
  retryDelaysMs,
  run: send,
})

/** One after the other, so that the room for each is known. */
export const sendSystemMailLater = defineJob(sendSystemMailLaterJob, {
  atRestore: 'discard',
  concurrency: 1,
  retryDelaysMs,
  async run(app, job) {
    if (!(await hasRoomForOthers(app))) return { runAt: new Date(app.clock.now().getTime() + noRoomWaitMs) }
    return send(app, job)
  },
})

/** The mail, the token in it and the end of the job are one commit, so that an order makes one mail. */
async function send(app: App, job: SystemJob<Order>): Promise<JobResult> {
  try {
    await app.transaction(async (tx) => {
      await endHeldJob(tx, job)
      const posts = await writeMail(tx, app, job.payload)
      if (posts.length > 0) await refuseTooMany(tx, app, job.payload, posts.length)
      await acceptLetters(tx, app, posts)
    })
    return 'recorded'
  } catch (error) {
    if (error instanceof HourFull) return waitForNextHour(app)
    if (error instanceof BoundReached) return undefined
    if (!(error instanceof DomainError)) throw error
    // The message may name the addressee, who does not belong into a log.
    const { name = error.kind } = error.details
    app.log.warn({ about: job.payload.about, refusal: name }, `system mail was not sent: ${adviceOf(name)}`)
    return undefined
  }
}

/** The installation has sent all the mail of its hour. The unit of work is undone, with the token in it. */
class HourFull extends Error {}

async function refuseTooMany(tx: Tx, app: App, order: Order, count: number): Promise<void> {
  const subject = isAwaited(order) ? 'awaited' : 'others'
  const bound = { kind: 'installation', subject, max: app.config.systemMailPerHour, per: 'hour' as const, count }
  if (!(await countSystemMail(tx, app, bound))) throw new HourFull()
}

const warnedOf = perApp(() => ({ untilMs: 0 }))

/** Says so once an hour. */
function waitForNextHour(app: App): JobResult {
  const now = app.clock.now()
  const runAt = nextHour(now)
  const warned = warnedOf(app)
  if (now.getTime() >= warned.untilMs) {
    const max = app.config.systemMailPerHour
    app.log.warn(
      { max },
      'more system mail is asked for than SYSTEM_MAIL_PER_HOUR allows: the rest waits for the next hour',
    )
    warned.untilMs = runAt.getTime()
  }
  return { runAt }
}

function adviceOf(name: string): string {
  if (name === 'domain_not_verified') return 'the domain of SYSTEM_FROM is not a verified domain of SYSTEM_TEAM'
  if (name === 'recipient_suppressed') return 'the address is on the suppression list of SYSTEM_TEAM'
  return 'SYSTEM_TEAM may not send it'
}

async function writeMail(tx: Tx, app: App, order: Order): Promise<Post[]> {
  if ('webhookId' in order) return writeWebhookMail(tx, app, order)
  if (order.about === 'limit') return writeLimitMail(tx, app, order)
  if (order.about === 'new-address') return writeNewAddressMail(tx, app, order)
  if (order.about === 'former-address') return writeFormerAddressMail(app, order)
  if (order.about === 'account-deleted') return writeDeletedMail(app, order)
  if (order.about === 'new-owner') return writeNewOwnerMail(tx, app, order)
  if (order.about === 'invitation') return writeInvitation(tx, app, order)
  return writeAccountMail(tx, app, order)
}
