import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import type { App } from '../../context.ts'
import { Strict, TextEnum } from '../../platform/http/schema/schema.ts'
import { escapeHtml } from '../../platform/text/escape-html.ts'
import { longWorkBytes, takeTurn } from '../../platform/waiting/turns.ts'
import { clickPath, openPath } from '../tracking/paths.ts'
import { readTrackingToken } from '../tracking/token.ts'
import { type InlinePart, inlineImagesOf } from './inline-images.ts'
import { safeHtml, shownMax } from './safe-html.ts'

export const PreviewQuery = Strict({
  images: Type.Optional(
    Type.Unsafe<'remote'>({
      ...TextEnum('remote'),
      description: 'Loads remote images too, which tells their servers that the message is read.',
    }),
  ),
})
export type PreviewQuery = Static<typeof PreviewQuery>

/** The content type of all previews. */
export const previewType = 'text/html; charset=utf-8'

/** The message to show: its HTML, or else its text; `parts` are those that the HTML may show. */
type Previewed = { html: string | null; text: string | null; parts: InlinePart[] }

/**
 * Answers a message as a page for a frame. Its policy lets it load and run nothing, whoever opens it, so that even HTML
 * that we misjudge stays harmless. Opening it and its links is not tracked.
 */
export async function showPreview(
  app: App,
  reply: FastifyReply,
  { html, text, parts }: Previewed,
  { images }: PreviewQuery,
): Promise<FastifyReply> {
  const remote = images === 'remote'
  if ((html ?? text ?? '').length > longWorkBytes) await takeTurn()
  const addresses = { remote, inlineImage: inlineImagesOf(parts), untracked: (url: string) => untracked(app, url) }
  const page = html === null ? textPage(text ?? '') : safeHtml(html, addresses)
  return (
    reply
      // A frame in a sandbox has no origin to key by, and Chromium writes a warning to the console if it is asked to.
      .removeHeader('Origin-Agent-Cluster')
      .headers({
        'Content-Security-Policy': policyOf(remote),
        'X-Frame-Options': 'SAMEORIGIN',
      })
      .type(previewType)
      .send(page)
  )
}

function policyOf(remote: boolean): string {
  return [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `img-src data:${remote ? ' https: http:' : ''}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

function textPage(text: string): string {
  const style = 'margin:16px;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere'
  return `<!doctype html><meta charset="utf-8"><pre style="${style}">${escapeHtml(text.slice(0, shownMax))}</pre>`
}

/**
 * Returns the target of a link that we track, null for our image that tracks openings, and other addresses unchanged.
 */
function untracked(app: App, href: string): string | null {
  const { pathname } = new URL(href)
  const path = [clickPath, openPath].find((path) => pathname.startsWith(path))
  const tracked = path === undefined ? null : readTrackingToken(app.keyring, pathname.slice(path.length))
  return tracked ? tracked.url : href
}
