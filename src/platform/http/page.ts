import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../text/escape-html.ts'

/** A light and a dark color scheme. Text and buttons have a contrast of 6:1 or more in both. */
const style = `
:root { color-scheme: light dark; --text: #1c1e21; --ground: #fff; --button: #1f5fbf; --label: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --ground: #17191c; --button: #8ab4f8; --label: #17191c } }
* { box-sizing: border-box }
body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
main { max-width: 32rem; margin: 0 auto; padding: min(20vh, 10rem) 1.5rem 3rem }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; overflow-wrap: break-word }
p { margin: 0 0 1.5rem }
button {
  min-height: 3rem; padding: .625rem 1.5rem; border: 2px solid transparent; border-radius: .5rem;
  font: inherit; font-weight: 600; color: var(--label); background: var(--button); cursor: pointer
}
button:hover { text-decoration: underline }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
`

export type HtmlPage = { html: string; policy: string }

/**
 * Makes a page without scripts and external content, and the policy that allows only its style and a form that posts
 * back here. `content` is HTML; `added` extends the style.
 */
export function page(title: string, content: string, added = ''): HtmlPage {
  const css = style + added
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <style>${css}</style>
  </head>
  <body>
    <main>
      ${content}
    </main>
  </body>
</html>
`
  return { html, policy }
}

export function showPage(reply: FastifyReply, { html, policy }: HtmlPage): FastifyReply {
  return reply
    .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
    .type('text/html; charset=utf-8')
    .send(html)
}
