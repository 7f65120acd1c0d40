import type { Tx } from '../../../context.ts'
import { insertRows } from '../../../platform/insert-rows.ts'
import { enqueueHeldJobs } from '../../../platform/jobs/enqueue.ts'
import { noteMessages } from '../../conversations/note-messages.ts'
import { type OpenConversation, pairKey } from '../../conversations/open.ts'
import { fillPlaceholders } from '../../templates/placeholders.ts'
import { sendKind } from '../dispatch/deliver-kind.ts'
import { type AcceptedMessage, type Draft, pairOf } from './accept.ts'

/** Writes messages with their jobs, which the caller holds from the first moment. */
export async function insertMessages(
  tx: Tx,
  drafts: Draft[],
  conversations: Map<string, OpenConversation>,
): Promise<Map<Draft, AcceptedMessage>> {
  const messages = drafts.map((draft) => ({
    ...contentOf(draft),
    id: draft.id,
    teamId: draft.teamId,
    conversationId: conversations.get(pairKey(pairOf(draft)))!.id,
    sender: draft.sender!,
    to: draft.command.to,
    createdAt: tx.now,
  }))
  await insertRows(tx.db, 'whatsapp_messages', messages.map(messageRow))
  await noteMessages(
    tx,
    messages.map(({ teamId, conversationId, body }) => {
      return { teamId, conversationId, body, at: tx.now, windowExpiresAt: null, contactName: null }
    }),
  )
  const jobs = await enqueueHeldJobs(tx, messages.map(sendJob))
  return new Map(drafts.map((draft, index) => [draft, { ...messages[index]!, job: jobs[index]! }]))
}

function contentOf({ command, template }: Draft) {
  if (command.kind === 'text') return { template: null, variables: null, body: command.body }
  const { variables } = command
  return { template: template!, variables, body: fillPlaceholders(template!.body, variables) }
}

type Message = Omit<AcceptedMessage, 'job'>

function messageRow({ id, teamId, conversationId, sender, to, template, variables, body, createdAt }: Message) {
  return {
    ...{ team_id: teamId, id, conversation_id: conversationId, sender_id: sender.id },
    direction: 'outbound' as const,
    ...{ from_number: sender.phoneNumber, to_number: to },
    ...{ template_id: template?.id ?? null, template_name: template?.name ?? null, variables, body },
    status: 'accepted' as const,
    created_at: createdAt,
  }
}

/** The template may be gone, or another, when a worker has to send the message. */
function sendJob({ id, teamId, template }: Message) {
  const payload = template ? { language: template.language, components: template.components } : {}
  return { kind: sendKind, teamId, key: id, payload }
}
