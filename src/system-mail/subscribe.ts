import type { Tx } from '../context.ts'
import type { Event } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import { enqueueJobs } from '../platform/jobs/enqueue.ts'
import { type Order, sendSystemMailJob } from './jobs.ts'
import { refuseUnsendable } from './refuse-unsendable.ts'

const types = [
  'account.verification_requested',
  'account.reset_requested',
  'account.signed_in_elsewhere',
  'account.security_changed',
  'team.invited',
  'webhook.failing',
  'webhook.switched_off',
] as const

/** Orders the system mail that events call for, in their transactions. */
export const orderSystemMail = defineSubscription({
  types,
  isOn: ({ systemFrom }) => systemFrom !== null,
  async listen(tx, events, config) {
    for (const { type, data } of events) {
      if (type === 'account.verification_requested' && data.isResend) await refuseUnsendable(tx, config, data.userId)
    }
    await enqueueJobs(
      tx,
      sendSystemMailJob,
      events.map((event) => orderOf(tx, event)),
    )
  },
})

function orderOf(tx: Tx, { type, teamId, data }: Event<(typeof types)[number]>): { key: string; payload: Order } {
  switch (type) {
    case 'account.verification_requested':
      // Each request is answered as sent, so each one is a mail of its own.
      return { key: `verification ${data.userId} ${tx.newId()}`, payload: { about: 'verification', ...data } }
    case 'account.reset_requested':
      return { key: `reset ${data.userId}`, payload: { about: 'reset', userId: data.userId } }
    case 'account.signed_in_elsewhere': {
      const { userId, address, userAgent } = data
      const payload = { about: 'sign-in' as const, userId, address, userAgent, at: tx.now.toISOString() }
      return { key: `sign-in ${userId} ${tx.newId()}`, payload }
    }
    case 'account.security_changed': {
      const payload = { about: 'security' as const, ...data, at: tx.now.toISOString() }
      return { key: `security ${data.userId} ${tx.newId()}`, payload }
    }
    case 'team.invited': {
      const { invitationId } = data
      return { key: `invitation ${invitationId}`, payload: { about: 'invitation', teamId, invitationId } }
    }
    case 'webhook.failing':
    case 'webhook.switched_off': {
      const { webhookId } = data
      const about = type === 'webhook.failing' ? 'webhook-failing' : 'webhook'
      return { key: `${about} ${webhookId}`, payload: { about, teamId, webhookId } }
    }
  }
}
