import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import type { OutboundMessage } from '../emails/provider.ts'
import { inParts } from '../platform/sql/in-parts.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { noteCaptured } from './note-captured.ts'

/** The bytes of one statement. A single larger message has a statement of its own. */
const statementMaxBytes = 8 * 1024 * 1024

/** Stores a captured message, once for each email. Concurrent calls share a commit. */
export const storeInboxMessage: (app: App, message: OutboundMessage) => Promise<void> = gatheredFor(storeAll, {
  itemsMax: 100,
  flushesMax: 2,
})

function storeAll(app: App, messages: OutboundMessage[]): Promise<undefined[]> {
  return app.transaction(async (tx) => {
    // Sorted, so that two transactions with the same emails cannot deadlock.
    const sorted = messages.toSorted((left, right) => (left.emailId < right.emailId ? -1 : 1))
    for (const part of inParts(sorted, ({ raw }) => raw.length, { sizeMax: statementMaxBytes }))
      await insertMessages(tx, part)
    await noteCaptured(tx, messages)
    return messages.map(() => undefined)
  })
}

/** Sends all messages as one binary value, which the statement splits. An array would be sent in hexadecimal. */
async function insertMessages(tx: Tx, messages: OutboundMessage[]): Promise<void> {
  let offset = 1
  const rows = messages.map(({ teamId, emailId, summary, raw, system = false }) => {
    const place = { raw_from: offset, raw_length: raw.length }
    offset += raw.length
    const { from, to, bcc, subject } = summary
    return { team_id: teamId, id: tx.newId(), email_id: emailId, from, to, bcc, subject, system, ...place }
  })
  const raw = messages.length === 1 ? messages[0]!.raw : Buffer.concat(messages.map((message) => message.raw))
  await sql`
    insert into inbox_messages
      (team_id, id, email_id, from_address, to_addresses, bcc_addresses, subject, raw, created_at, system)
    select team_id, id, email_id, "from", "to", bcc, subject, substring(${raw}::bytea from raw_from for raw_length), ${tx.now}, system
    from json_to_recordset(${JSON.stringify(rows)}::json) as message (
      team_id uuid, id uuid, email_id uuid, "from" text, "to" text[], bcc text[], subject text, system boolean,
      raw_from integer, raw_length integer
    )
    on conflict (team_id, email_id) do nothing
  `.execute(tx.db)
}
