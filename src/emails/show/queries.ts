import { type Selectable, sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Database } from '../../database.ts'
import { givenHeaders } from '../messages/outbound/date.ts'
import { guessContentType } from '../mime/content-types.ts'
import { type MessagePart, readParts } from '../read-parts.ts'

type MessageHead = {
  messageId: string
  replyTo: string | null
  headers: Record<string, string> | null
  tags: Record<string, unknown> | null
  via: 'api' | 'smtp' | 'broadcast' | 'workflow' | 'system'
  broadcastId: string | null
  executionId: string | null
}

/** Finds how an email was sent. The caller has found that it may be seen. */
export async function findMessageHead(db: Db, teamId: string, id: string): Promise<MessageHead> {
  const { rows } = await sql<Omit<MessageHead, 'via'> & { isSubmitted: boolean; isOfNode: boolean; system: boolean }>`
    select message_id as "messageId", reply_to as "replyTo", ${givenHeaders} as headers, tags, system,
      recipient.broadcast_id as "broadcastId", coalesce(node.execution_id, cause.execution_id) as "executionId",
      node.execution_id is not null as "isOfNode",
      exists (select from email_contents where team_id = email.team_id and email_id = email.id and source is not null)
        or exists (select from email_sources where team_id = email.team_id and email_id = email.id) as "isSubmitted"
    from emails as email
    left join lateral (
      select broadcast_id from broadcast_recipients where team_id = email.team_id and email_id = email.id limit 1
    ) as recipient on true
    left join lateral (
      select execution_id from workflow_execution_nodes
      where team_id = email.team_id and id = email.id and node_type = 'send_email' limit 1
    ) as node on true
    left join caused_resources as cause on cause.team_id = email.team_id and cause.resource_id = email.id
    where email.team_id = ${teamId} and email.id = ${id}
  `.execute(db)
  const { isSubmitted, isOfNode, system, ...head } = rows[0]!
  const via = system ? 'system' : isOfNode ? 'workflow' : head.broadcastId ? 'broadcast' : isSubmitted ? 'smtp' : 'api'
  return { ...head, via }
}

/**
 * Finds the bytes of everything an email consists of, without reading it. A submitted message counts twice, because its
 * parts are decoded from it. Null if there is no such email.
 */
export async function findMessageBytes(db: Db, teamId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce(octet_length(content.html), 0) + coalesce(octet_length(content.text), 0)
      + coalesce(octet_length(broadcast.html), 0) + coalesce(octet_length(broadcast.text), 0)
      + 2 * coalesce(octet_length(content.source), octet_length(source.raw), 0) + coalesce((
        select sum(octet_length(content)) from email_attachments where team_id = email.team_id and email_id = email.id
      ), 0))::float8 as bytes
    from emails as email
    left join email_contents as content on content.team_id = email.team_id and content.email_id = email.id
    left join email_letters as broadcast on broadcast.team_id = content.team_id and broadcast.id = content.letter_id
    left join email_sources as source on source.team_id = email.team_id and source.email_id = email.id
    where email.team_id = ${teamId} and email.id = ${id}
  `.execute(db)
  return rows[0]?.bytes ?? null
}

/** Lists the attachments of an email: those of the request, or those in the submitted message. */
export async function listParts(db: Db, teamId: string, id: string): Promise<MessagePart[]> {
  const source = await findSource(db, teamId, id)
  if (source) return readParts(source)
  const { rows } = await sql<PartRow & { content: Buffer }>`
    select ${partColumns}, content
    from email_attachments as file where team_id = ${teamId} and email_id = ${id} order by position
  `.execute(db)
  return rows.map((row) => ({ ...partOf(row), content: row.content }))
}

/** Describes the attachments of an email. Those of a request are not read. */
export async function listPartSummaries(db: Db, teamId: string, id: string) {
  const source = await findSource(db, teamId, id)
  if (source) return (await readParts(source)).map(({ content, ...part }) => ({ ...part, size: content.length }))
  const { rows } = await sql<PartRow & { size: number }>`
    select ${partColumns}, octet_length(content) as size
    from email_attachments as file where team_id = ${teamId} and email_id = ${id} order by position
  `.execute(db)
  return rows.map((row) => ({ ...partOf(row), size: row.size }))
}

type PartRow = Pick<Selectable<Database['email_attachments']>, 'filename' | 'content_type' | 'content_id'> & {
  isShown: boolean
}

/** The message has an attachment inline if its HTML can show it. */
const partColumns = sql`filename, content_type, content_id, content_id is not null and exists (
  select from email_contents as body where body.team_id = file.team_id and body.email_id = file.email_id and html is not null
) as "isShown"`

function partOf({ filename, content_type, content_id, isShown }: PartRow): Omit<MessagePart, 'content'> {
  return {
    filename,
    contentType: content_type ?? guessContentType(filename),
    contentId: content_id?.replace(/^<|>$/g, '') ?? null,
    disposition: isShown ? 'inline' : 'attachment',
  }
}

async function findSource(db: Db, teamId: string, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ source: Buffer | null }>`
    select coalesce(content.source, long.raw) as source
    from email_contents as content
    left join email_sources as long on long.team_id = content.team_id and long.email_id = content.email_id
    where content.team_id = ${teamId} and content.email_id = ${id}
  `.execute(db)
  return rows[0]?.source ?? null
}
