import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'

type Noted = {
  teamId: string
  conversationId: string
  body: string
  at: Date
  /** For a customer's message: the window that it opens or extends, and the customer's name if it is known. */
  windowExpiresAt: Date | null
  contactName: string | null
}

/** Updates the conversations of new messages, in the order of the messages. The caller has locked the conversations. */
export async function noteMessages(tx: Tx, messages: Noted[]): SentAtOnce {
  if (messages.length === 0) return
  const summaries = [...Map.groupBy(messages, ({ conversationId }) => conversationId).values()].map(summaryOf)
  const rows = summaries.map((summary) => ({ ...summary, preview: previewOf(summary.body) }))
  await tx.send(sql`
    update whatsapp_conversations as conversation set
      last_message_preview = case when new.at >= last_message_at then new.preview else last_message_preview end,
      last_message_at = greatest(last_message_at, new.at),
      window_expires_at = greatest(conversation.window_expires_at, new.window_expires_at),
      contact_name = coalesce(new.contact_name, conversation.contact_name)
    from ${rowsOf(rows, columns).as('new')}
    where conversation.team_id = new.team_id and conversation.id = new.conversation_id
  `)
}

const columns = {
  teamId: 'uuid',
  conversationId: 'uuid',
  preview: 'text',
  at: 'timestamptz',
  windowExpiresAt: 'timestamptz',
  contactName: 'text',
} as const

/** Merges the messages into one row for each conversation: of two rows, an update would apply an arbitrary one. */
function summaryOf(messages: Noted[]): Noted {
  return messages.reduce((before, message) => ({
    ...(message.at >= before.at ? message : before),
    windowExpiresAt: laterOf(before.windowExpiresAt, message.windowExpiresAt),
    contactName: message.contactName ?? before.contactName,
  }))
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/** The most characters of a preview. */
export const previewMax = 120

function previewOf(body: string): string {
  return body.length <= previewMax ? body : [...body.slice(0, previewMax * 2)].slice(0, previewMax).join('')
}
