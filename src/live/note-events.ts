import type { Event } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import { hubOf } from './hub.ts'

/** Notes what jobs, providers and recipients change. Requests are noted by `note-request.ts`. */
export const noteEvents = defineSubscription({
  types: [
    ...(['email.sent', 'email.delivered', 'email.delivery_delayed', 'email.bounced', 'email.complained'] as const),
    ...(['email.opened', 'email.clicked', 'email.withdrawn', 'sms.updated', 'whatsapp.updated'] as const),
    ...(['contact.created', 'contact.updated', 'contact.unsubscribed', 'contact.added_to_segment'] as const),
    ...(['broadcast.completed', 'execution.updated', 'domain.status_changed'] as const),
    ...(['webhook.attempted', 'webhook.switched_off'] as const),
    ...(['team.limits_changed', 'team.member_changed', 'billing.customer_known'] as const),
    ...(['sms.received', 'whatsapp.received'] as const),
  ],
  async listen(tx, events) {
    // The change can be read once it is committed.
    tx.afterCommit(() => {
      const hub = hubOf(tx.jobs)
      for (const event of events) hub.note(event.teamId, ...changeOf(event))
    })
  },
})

function changeOf({ type, data }: Event): [noun: string, ids: string[]] {
  const noun = type.split('.')[0]!
  if (noun === 'email') return ['emails', idsOf(data, 'emailId')]
  if (type === 'sms.received') return ['inbox', []]
  if (noun === 'sms') return ['sms', idsOf(data, 'smsId')]
  if (noun === 'whatsapp') return ['whatsapp/messages', idsOf(data, 'messageId')]
  if (type === 'contact.added_to_segment') return ['segments', idsOf(data, 'segmentId')]
  if (noun === 'contact') return ['contacts', idsOf(data, 'contactId')]
  if (noun === 'broadcast') return ['broadcasts', idsOf(data, 'broadcastId')]
  if (noun === 'execution') return ['workflows', idsOf(data, 'workflowId')]
  if (noun === 'domain') return ['domains', idsOf(data, 'domainId')]
  if (noun === 'webhook') return ['webhooks', idsOf(data, 'webhookId')]
  return type === 'team.member_changed' ? ['team/members', []] : ['billing', []]
}

function idsOf(data: Event['data'], name: string): string[] {
  const id = (data as Record<string, unknown>)[name]
  return typeof id === 'string' ? [id] : []
}
