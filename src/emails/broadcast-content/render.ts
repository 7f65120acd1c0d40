import { unsubscribeTokenOf } from '../../contacts/unsubscribe-token.ts'
import type { App } from '../../context.ts'
import type { Values } from './compile.ts'
import { findLetter } from './find.ts'

/** What makes one email of a letter differ from the others. */
export type LetterCopy = { teamId: string; letterId: string; variables: Values; unsubscribeSeed: string }

export type RenderedCopy = { html: string | null; text: string | null; headers: Record<string, string> }

/** Stands for a token where the API shows an email: a key must not be able to unsubscribe a contact for good. */
export const maskedToken = '***'

/** Renders the bodies of one email, and the header fields by which mail clients offer to unsubscribe (RFC 8058). */
export async function renderCopy(
  app: App,
  { teamId, letterId, variables, unsubscribeSeed }: LetterCopy,
  token = unsubscribeTokenOf(app.keyring, unsubscribeSeed),
) {
  const { html, text } = await findLetter(app.db, teamId, letterId)
  const unsubscribeUrl = `${app.publicUrl()}/unsubscribe?token=${token}`
  const values = { ...variables, unsubscribeUrl }
  const rendered: RenderedCopy = {
    html: html?.render(values) ?? null,
    text: text?.render(values) ?? null,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
  return rendered
}
