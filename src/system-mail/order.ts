import type { Tx } from '../context.ts'
import type { Event } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import { enqueueJobs } from '../platform/jobs/enqueue.ts'
import { isAwaited, type Order, sendSystemMailJob, sendSystemMailLaterJob } from './jobs.ts'
import { refuseUnsendable, refuseWithoutDomain } from './refuse-unsendable.ts'

const types = [
  'account.verification_requested',
  'account.reset_requested',
  'account.signed_in_elsewhere',
  'account.security_changed',
  'account.address_requested',
  'account.address_changed',
  'account.deleted',
  'team.invited',
  'team.owner_added',
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
      if (type === 'account.address_requested') await refuseWithoutDomain(tx, config)
    }
    const orders = events.map((event) => orderOf(tx, event))
    const [awaited, others] = [true, false].map((is) => orders.filter(({ payload }) => isAwaited(payload) === is))
    await enqueueJobs(tx, sendSystemMailJob, awaited!)
    await enqueueJobs(tx, sendSystemMailLaterJob, others!)
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
    case 'account.address_requested': {
      const payload = { about: 'new-address' as const, ...data, at: tx.now.toISOString() }
      return { key: `new-address ${data.userId} ${tx.newId()}`, payload }
    }
    case 'account.address_changed': {
      const payload = { about: 'former-address' as const, ...data, at: tx.now.toISOString() }
      return { key: `former-address ${tx.newId()}`, payload }
    }
    case 'account.deleted': {
      const payload = { about: 'account-deleted' as const, ...data, at: tx.now.toISOString() }
      return { key: `account-deleted ${tx.newId()}`, payload }
    }
    case 'team.invited': {
      const { invitationId } = data
      return { key: `invitation ${invitationId}`, payload: { about: 'invitation', teamId, invitationId } }
    }
    case 'team.owner_added': {
      const payload = { about: 'new-owner' as const, teamId, newOwnerId: data.userId, at: tx.now.toISOString() }
      return { key: `new-owner ${teamId} ${data.userId} ${tx.newId()}`, payload }
    }
    case 'webhook.failing':
    case 'webhook.switched_off': {
      const { webhookId } = data
      const about = type === 'webhook.failing' ? 'webhook-failing' : 'webhook'
      return { key: `${about} ${webhookId}`, payload: { about, teamId, webhookId } }
    }
  }
}
