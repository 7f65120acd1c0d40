import type { Db } from '../../context.ts'
import type { Attachment } from '../accept/command.ts'

/** The bodies and attachments of an email, as they were accepted. */
export async function findContent(db: Db, teamId: string, emailId: string) {
  const content = await db
    .selectFrom('email_contents')
    .select(['html', 'text'])
    .where('team_id', '=', teamId)
    .where('email_id', '=', emailId)
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
