import type { App } from '../../../../context.ts'
import { findTeam } from '../../../../teams/queries.ts'
import type { PaidPlan } from '../../provider.ts'

/** The content of a link to a page of the sandbox. The link is the credential. */
export type CheckoutLink = { page: 'checkout'; id: string; teamId: string; plan: PaidPlan }
export type PortalLink = { page: 'portal'; teamId: string; returnUrl: string }
type Link = CheckoutLink | PortalLink

const purpose = 'sandbox-payments'

export function linkTo(app: App, link: Link, validMs: number): string {
  const expires = app.clock.now().getTime() + validMs
  const text = Buffer.from(JSON.stringify({ ...link, expires })).toString('base64url')
  const token = `${text}.${app.keyring.sign(purpose, text, 16).toString('base64url')}`
  return app.publicUrl() + pathTo(link.page, token)
}

function pathTo(page: Link['page'], token: string): string {
  return `/billing/sandbox/${page}?token=${token}`
}

/** Returns the link without the host, so that the form posts to the host name under which the page was opened. */
export function actionOf(app: App, page: Link['page'], token: string): string {
  return new URL(app.publicUrl()).pathname.replace(/\/$/, '') + pathTo(page, token)
}

/** Null for a token that cannot be used: see `readLink`, another provider is chosen, or the team was deleted. */
export async function openLink<P extends Link['page']>(app: App, page: P, token: string) {
  const link = app.payments.name === 'sandbox' ? readLink(app, page, token) : null
  return link && (await findTeam(app.db, link.teamId)) ? link : null
}

/** Null for a token that is not ours, belongs to another page, or is too old. */
function readLink<P extends Link['page']>(app: App, page: P, token: string): Extract<Link, { page: P }> | null {
  const [text = '', signature = ''] = token.split('.')
  if (!app.keyring.verify(purpose, text, Buffer.from(signature, 'base64url'))) return null
  const { expires, ...link } = JSON.parse(Buffer.from(text, 'base64url').toString())
  return link.page === page && expires > app.clock.now().getTime() ? link : null
}
