import type { Db } from '../../context.ts'
import type { Attachment } from '../accept/command.ts'

/** The bodies and attachments of an email as they were accepted, or the whole message where it came so. */
export async function findContent(db: Db, teamId: string, emailId: string) {
  const content = await db
    .selectFrom('email_contents as content')
    .leftJoin('email_sources as source', (join) =>
      join.onRef('source.team_id', '=', 'content.team_id').onRef('source.email_id', '=', 'content.email_id'),
    )
    .select(['content.html', 'content.text', 'source.raw as source'])
    .where('content.team_id', '=', teamId)
    .where('content.email_id', '=', emailId)
    .executeTakeFirstOrThrow()
  const attachments: Attachment[] = await db
    .selectFrom('email_attachments')
    .select(['filename', 'content_type as contentType', 'content_id as contentId', 'content'])
    .where('team_id', '=', teamId)
    .where('email_id', '=', emailId)
    .orderBy('position')
    .execute()
  return { ...content, attachments }
}
