import type { App } from '../../../context.ts'
import { type BroadcastEmail, renderBroadcastEmail } from '../../broadcast-content/render.ts'
import type { Attachment } from '../accept/command.ts'

/**
 * Finds the bodies and attachments of an email as they were accepted, or the whole message if it was submitted. For an email of a
 * broadcast, renders the bodies and adds header fields.
 */
export async function findContent(app: App, teamId: string, emailId: string) {
  const { broadcastId, variables, unsubscribeSeed, ...content } = await app.db
    .selectFrom('email_contents as content')
    .leftJoin('email_sources as source', (join) =>
      join.onRef('source.team_id', '=', 'content.team_id').onRef('source.email_id', '=', 'content.email_id'),
    )
    .select(['content.html', 'content.text', 'source.raw as source'])
    .select(['letter_id as broadcastId', 'variables', 'unsubscribe_seed as unsubscribeSeed'])
    .where('content.team_id', '=', teamId)
    .where('content.email_id', '=', emailId)
    .executeTakeFirstOrThrow()
  if (broadcastId !== null && unsubscribeSeed !== null) {
    return renderContent(app, { teamId, broadcastId, variables: variables ?? {}, unsubscribeSeed })
  }
  const attachments: Attachment[] = await app.db
    .selectFrom('email_attachments')
    .select(['filename', 'content_type as contentType', 'content_id as contentId', 'content'])
    .where('team_id', '=', teamId)
    .where('email_id', '=', emailId)
    .orderBy('position')
    .execute()
  return { ...content, attachments }
}

/** Renders the content of an email of a broadcast. */
export async function renderContent(app: App, email: BroadcastEmail) {
  const attachments: Attachment[] = []
  return { ...(await renderBroadcastEmail(app, email)), source: null, attachments }
}
