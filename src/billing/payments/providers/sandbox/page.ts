import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../../../platform/escape-html.ts'

/** A light and a dark color scheme. Text and buttons have a contrast of 4.5:1 or more in both. */
const style = `
:root { color-scheme: light dark; --text: #1c1e21; --quiet: #5b626b; --ground: #fff; --line: #d5d9de; --button: #1f5fbf; --label: #fff; --note: #fff4d6 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaed; --quiet: #a8aeb6; --ground: #17191c; --line: #3a3f45; --button: #8ab4f8; --label: #17191c; --note: #3a3220 }
}
* { box-sizing: border-box }
body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.5rem 4rem }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; overflow-wrap: break-word }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.1875rem }
p { margin: 0 0 1rem }
.sandbox { margin: 0 0 2rem; padding: .625rem 1rem; border-radius: .5rem; background: var(--note) }
.quiet { color: var(--quiet) }
table { width: 100%; margin: 0 0 1.5rem; border-collapse: collapse }
caption { padding: 0 0 .5rem; text-align: left; font-weight: 600 }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top }
th:last-child, td:last-child { padding-left: 1rem; text-align: right; white-space: nowrap }
form { margin: 0 0 1rem }
label { display: block; margin: 0 0 .375rem; font-weight: 600 }
select, button { min-height: 3rem; padding: .625rem 1.25rem; border-radius: .5rem; font: inherit }
select { width: 100%; margin: 0 0 .75rem; border: 1px solid var(--quiet); color: inherit; background: var(--ground) }
button { width: 100%; border: 2px solid var(--button); font-weight: 600; color: var(--button); background: none; cursor: pointer }
button.main { color: var(--label); background: var(--button) }
button:hover { text-decoration: underline }
a { color: var(--button) }
:is(button, select, a):focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `content` is HTML. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <p class="sandbox">Payment sandbox: nothing is charged here.</p>
      <h1>${escapeHtml(title)}</h1>
      ${content}
    </main>
  </body>
</html>
`
}

export function show(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
    .type('text/html; charset=utf-8')
    .send(html)
}

/** Sends the page for links that were altered, have expired, or cannot be used here. */
export function showGone(reply: FastifyReply): FastifyReply {
  const content = '<p>This link is not valid any more. Go back and request a new one.</p>'
  return show(reply.status(404), page('There is no such page', content))
}

/** Formats a date in UTC: `31 January 2026`. */
export function dateText(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}
