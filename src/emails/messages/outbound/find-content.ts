import type { App } from '../../../context.ts'
import type { FilledText } from '../../of-broadcasts/compile.ts'
import { type BroadcastEmail, fillBroadcastEmail } from '../../of-broadcasts/fill.ts'
import type { Attachment } from '../email.ts'

/** The parts of an email that are read when it is sent. */
export type Content = {
  html: string | FilledText | null
  text: string | FilledText | null
  source: Buffer | null
  attachments: Attachment[]
  /** The header fields of a broadcast's email. */
  headers?: Record<string, string>
}

/**
 * Finds the bodies and attachments of an email as they were accepted, or the whole message if it was submitted. For an
 * email of a broadcast, fills the bodies and adds header fields.
 */
export async function findContent(app: App, teamId: string, emailId: string): Promise<Content> {
  const { broadcastId, variables, unsubscribeSeed, ...content } = await app.db
    .selectFrom('email_contents as content')
    .leftJoin('email_sources as long', (join) =>
      join.onRef('long.team_id', '=', 'content.team_id').onRef('long.email_id', '=', 'content.email_id'),
    )
    .select((of) => ['content.html', 'content.text', of.fn.coalesce('content.source', 'long.raw').as('source')])
    .select(['letter_id as broadcastId', 'variables', 'unsubscribe_seed as unsubscribeSeed'])
    .where('content.team_id', '=', teamId)
    .where('content.email_id', '=', emailId)
    .executeTakeFirstOrThrow()
  if (broadcastId !== null && unsubscribeSeed !== null) {
    return fillContent(app, { teamId, broadcastId, variables: variables ?? {}, unsubscribeSeed })
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

export async function fillContent(app: App, email: BroadcastEmail): Promise<Content> {
  return { ...(await fillBroadcastEmail(app, email)), source: null, attachments: [] }
}
