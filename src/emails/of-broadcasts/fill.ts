import { unsubscribeTokenOf } from '../../contacts/unsubscribe/token.ts'
import type { App } from '../../context.ts'
import { isTestTeam, modeOf } from '../../platform/mode/mode.ts'
import type { FilledText, Values } from './compile.ts'
import { findLetter } from './find-letter.ts'

/** The data by which one email of a broadcast differs from the others. */
export type BroadcastEmail = { teamId: string; broadcastId: string; variables: Values; unsubscribeSeed: string }

type FilledEmail = { html: FilledText | null; text: FilledText | null; headers: Record<string, string> }

/**
 * Replaces the token when the API shows an email, because an API key must not be able to unsubscribe a contact for
 * good.
 */
export const maskedToken = '***'

/**
 * Fills the bodies of one email, and makes its header fields: those by which mail clients offer to unsubscribe (RFC
 * 8058), and those of its list. The links of test emails do nothing, because contacts are shared by both modes.
 */
export async function fillBroadcastEmail(
  app: App,
  { teamId, broadcastId, variables, unsubscribeSeed }: BroadcastEmail,
  token = isTestTeam(teamId) ? maskedToken : unsubscribeTokenOf(app.keyring, unsubscribeSeed),
) {
  const { html, text, headers } = await findLetter(app, app.clock.now(), teamId, broadcastId)
  const unsubscribeUrl = `${app.publicUrl()}/unsubscribe?token=${token}`
  const values = { ...variables, unsubscribeUrl }
  const filled: FilledEmail = {
    html: html?.fill(values) ?? null,
    text: text?.fill(values) ?? null,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...withoutRewritten(app, teamId, headers),
    },
  }
  return filled
}

/** Leaves out the fields that the provider writes itself, because Gmail wants one `Feedback-ID`. */
function withoutRewritten(app: App, teamId: string, headers: Record<string, string>): Record<string, string> {
  const { rewrites = [] } = app.providers.email[modeOf(teamId)]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !rewrites.includes(name.toLowerCase())))
}
