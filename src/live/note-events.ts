import type { Event, EventName } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import type { Noun } from '../platform/http/nouns.ts'
import { hubOf } from './hub.ts'

type Change = [nouns: Noun | Noun[], id?: string]

const email = ({ emailId }: { emailId: string }): Change => ['emails', emailId]
const contact = ({ contactId }: { contactId: string }): Change => ['contacts', contactId]
const webhook = ({ webhookId }: { webhookId: string }): Change => ['webhooks', webhookId]

/** The nouns whose views an event changes, and the id of the one thing that changed, if the event has it. */
const changes = {
  'email.sent': email,
  'email.delivered': email,
  'email.delivery_delayed': email,
  'email.bounced': email,
  'email.complained': email,
  'email.opened': email,
  'email.clicked': email,
  'email.ended_unsent': email,
  'sms.updated': ({ smsId }) => ['sms', smsId],
  'whatsapp.updated': ({ messageId }) => ['whatsapp/messages', messageId],
  'sms.received': () => [['inbox', 'sms/opt-outs']],
  'whatsapp.received': () => ['whatsapp/messages'],
  'whatsapp.template_reviewed': ({ templateId }) => ['whatsapp/templates', templateId],
  'contact.created': contact,
  'contact.updated': contact,
  'contact.unsubscribed': contact,
  'contact.added_to_segment': ({ segmentId }) => ['segments', segmentId],
  'broadcast.completed': ({ broadcastId }) => ['broadcasts', broadcastId],
  'execution.updated': () => ['workflows'],
  'domain.status_changed': ({ domainId }) => ['domains', domainId],
  'webhook.attempted': webhook,
  'webhook.switched_off': webhook,
  'team.limits_changed': () => ['billing'],
  'team.member_changed': () => ['team/members'],
  'billing.customer_known': () => ['billing'],
} satisfies { [Name in EventName]?: (data: Event<Name>['data']) => Change }

/** Notes what jobs, providers and recipients change. Requests are noted by `note-change.ts`. */
export const noteEvents = defineSubscription({
  types: Object.keys(changes) as (keyof typeof changes)[],
  async listen(tx, events) {
    // The change can be read once it is committed.
    tx.afterCommit(() => {
      const hub = hubOf(tx.jobs)
      for (const { teamId, type, data } of events) {
        const [nouns, id] = (changes[type] as (data: unknown) => Change)(data)
        for (const noun of [nouns].flat()) hub.note(teamId, noun, id === undefined ? [] : [id])
      }
    })
  },
})
