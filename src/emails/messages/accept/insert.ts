import { type RawBuilder, sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../../context.ts'
import { inParts } from '../../../platform/sql/in-parts.ts'
import { insertRows } from '../../../platform/sql/insert-rows.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import type { AcceptedEmail } from '../email.ts'
import { scopesOf, tagKey } from '../scopes.ts'

/**
 * Inserts accepted emails with their contents. Immediate ones are marked as being dispatched from the start.
 * Attachments and long submitted messages are large, so each waits for the one before.
 */
export async function insertEmails(tx: Tx, emails: AcceptedEmail[]): Promise<void> {
  const [short, others] = [emails.filter(holdsTexts), emails.filter((email) => !holdsTexts(email))]
  tx.withCommit(insertRows(tx, 'emails', emails.map(emailRow)))
  tx.withCommit(insertRows(tx, 'email_contents', others.map(contentRow)))
  tx.withCommit(insertShortSources(tx, sourcesOf(short)))
  tx.withCommit(insertRows(tx, 'email_tags', emails.flatMap(tagRows)))
  for (const email of emails) await insertAttachments(tx, email)
  await insertLongSources(tx, sourcesOf(others))
}

/** True for a short submitted message, which is stored without separate bodies. */
function holdsTexts({ command }: AcceptedEmail): boolean {
  return command.source?.holdsTexts === true
}

function emailRow({ id, teamId, command, domain, messageId, createdAt }: AcceptedEmail) {
  return {
    team_id: teamId,
    id,
    domain_id: domain.id,
    domain_name: domain.name,
    from_address: command.from,
    to_addresses: command.to,
    cc_addresses: command.cc,
    bcc_addresses: command.bcc,
    reply_to: command.replyTo,
    subject: command.subject,
    status: 'scheduled' as const,
    dispatching: command.scheduledAt === null,
    message_id: messageId,
    tags: command.tags,
    headers: command.headers,
    scheduled_at: command.scheduledAt,
    sent_at: null,
    created_at: createdAt,
    scopes: scopesOf(command),
    system: command.system ?? false,
    untracked: command.untracked ?? false,
    seen: command.untracked ? null : 0,
  }
}

function contentRow({ teamId, id, command: { html, text } }: AcceptedEmail) {
  return { team_id: teamId, email_id: id, html, text }
}

function tagRows({ teamId, id, command }: AcceptedEmail) {
  const keys = Object.entries(command.tags ?? {}).map(([name, value]) => tagKey(`${name}:${value}`))
  return [...new Set(keys)].map((tag) => ({ team_id: teamId, email_id: id, tag }))
}

/** Inserts each attachment in a separate statement, because attachments are large and few emails have any. */
async function insertAttachments(tx: Tx, { teamId, id, command }: AcceptedEmail): Promise<void> {
  for (const [position, attachment] of command.attachments.entries()) {
    const { filename, contentType, contentId, content } = attachment
    const row = {
      team_id: teamId,
      email_id: id,
      position,
      filename,
      content_type: contentType,
      content_id: contentId,
      content,
    }
    await tx.db.insertInto('email_attachments').values(row).execute()
  }
}

type Source = { teamId: string; id: string; source: Buffer }

function sourcesOf(emails: AcceptedEmail[]): Source[] {
  return emails.flatMap(({ teamId, id, source }) => (source ? [{ teamId, id, source }] : []))
}

/** One statement is enough, because emails that are accepted together have a few megabytes at most. */
async function insertShortSources(tx: Tx, rows: Source[]): SentAtOnce {
  if (rows.length > 0) await tx.send(insertOfSources(rows, { table: 'email_contents', column: 'source' }))
}

/** The most that one statement carries, unless a single message is larger. */
const statementMaxBytes = 8 * 1024 * 1024

async function insertLongSources(tx: Tx, rows: Source[]): Promise<void> {
  for (const part of inParts(rows, ({ source }) => source.length, { sizeMax: statementMaxBytes }))
    await insertOfSources(part, { table: 'email_sources', column: 'raw' }).execute(tx.db)
}

/** Sends the messages as one binary value that the statement cuts apart. An array would travel in hexadecimal. */
function insertOfSources(rows: Source[], into: { table: string; column: string }): RawBuilder<unknown> {
  const all = rows.length === 1 ? rows[0]!.source : Buffer.concat(rows.map(({ source }) => source))
  const lengths = rows.map(({ teamId, id, source }) => ({ teamId, id, length: source.length }))
  return sql`
    insert into ${sql.table(into.table)} (team_id, email_id, ${sql.ref(into.column)})
    select team_id, id, substring(${all}::bytea from (ends_at - length + 1)::integer for length)
    from (
      select *, sum(length) over (order by position) as ends_at
      from ${rowsOf(lengths, { teamId: 'uuid', id: 'uuid', length: 'int' }).as('source', 'position')}
    ) as source
  `
}
