import type { Tx } from '../../../context.ts'
import { countMessages } from '../../../health/count-messages.ts'
import { enqueueHeldJobs } from '../../../platform/jobs/enqueue.ts'
import { insertRows } from '../../../platform/sql/insert-rows.ts'
import { noteMessages } from '../../conversations/note-messages.ts'
import { deliverWhatsappJob } from '../../jobs.ts'
import { withCodeButton } from '../../templates/code-button.ts'
import { fillPlaceholders } from '../../templates/placeholders.ts'
import type { AcceptedWhatsapp, NewWhatsapp } from './accepted.ts'

/** Inserts accepted messages, each with its job, which this process holds. Returns them by id. */
export async function insertWhatsapp(tx: Tx, messages: NewWhatsapp[]): Promise<Map<string, AcceptedWhatsapp>> {
  const rows = messages.map((message) => messageRow(tx, message))
  const noted = rows.map(({ team_id: teamId, conversation_id: conversationId, body }) => {
    return { teamId, conversationId, body, at: tx.now, windowExpiresAt: null, contactName: null }
  })
  tx.withCommit(insertRows(tx, 'whatsapp_messages', rows))
  tx.withCommit(noteMessages(tx, noted))
  countMessages(tx, 'whatsapp', messages)
  const jobs = await enqueueHeldJobs(tx, deliverWhatsappJob, messages.map(deliverJob))
  return new Map(messages.map((message, index) => [message.id, { ...message, job: jobs[index]! }]))
}

function messageRow(tx: Tx, message: NewWhatsapp) {
  const { teamId, id, conversationId, sender, command, template } = message
  return {
    team_id: teamId,
    id,
    conversation_id: conversationId,
    sender_id: sender.id,
    direction: 'outbound' as const,
    from_number: sender.phoneNumber,
    to_number: command.to,
    template_id: template?.id ?? null,
    template_name: template?.name ?? null,
    ...contentOf(message),
    status: 'accepted' as const,
    created_at: tx.now,
  }
}

function contentOf({ command, template }: NewWhatsapp) {
  if (command.kind === 'text') return { variables: null, body: command.body }
  const { variables } = command
  return { variables, body: fillPlaceholders(template!.body, variables) }
}

/**
 * The job contains the parts of the template that the provider needs, since the template may change before a worker
 * sends.
 */
function deliverJob({ id, teamId, template }: NewWhatsapp) {
  if (!template) return { teamId, key: id, payload: {} }
  const { language, category, components } = template
  return { teamId, key: id, payload: { language, category, components: withCodeButton(category, components) } }
}
