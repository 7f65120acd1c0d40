import type { FastifyReply } from 'fastify'
import { type HtmlPage, page, showPage } from '../../../../platform/http/page.ts'
import { escapeHtml } from '../../../../platform/text/escape-html.ts'

/** Added to the style of plain pages. Text and buttons have a contrast of 4.5:1 or more in both color schemes. */
const style = `
:root { --quiet: #5b626b; --line: #d5d9de; --note: #fff4d6 }
@media (prefers-color-scheme: dark) { :root { --quiet: #a8aeb6; --line: #3a3f45; --note: #3a3220 } }
main { max-width: 36rem; padding: 2rem 1.5rem 4rem }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.1875rem }
p, form { margin: 0 0 1rem }
.sandbox { margin: 0 0 2rem; padding: .625rem 1rem; border-radius: .5rem; background: var(--note) }
.quiet { color: var(--quiet) }
table { width: 100%; margin: 0 0 1.5rem; border-collapse: collapse }
caption { padding: 0 0 .5rem; text-align: left; font-weight: 600 }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top }
th:last-child, td:last-child { padding-left: 1rem; text-align: right; white-space: nowrap }
label { display: block; margin: 0 0 .375rem; font-weight: 600 }
select, button { width: 100%; min-height: 3rem; padding: .625rem 1.25rem; border-radius: .5rem; font: inherit }
select { margin: 0 0 .75rem; border: 1px solid var(--quiet); color: inherit; background: var(--ground) }
button { border-color: var(--button); font-weight: 600; color: var(--button); background: none }
button.main { color: var(--label); background: var(--button) }
a { color: var(--button) }
:is(select, a):focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
`

/** `content` is HTML. */
export function sandboxPage(title: string, content: string): HtmlPage {
  const head = `<p class="sandbox">Payment sandbox: nothing is charged here.</p>
      <h1>${escapeHtml(title)}</h1>`
  return page(title, `${head}\n      ${content}`, style)
}

/** Sends the page for links that were altered, have expired, or cannot be used here. */
export function showGone(reply: FastifyReply): FastifyReply {
  const content = '<p>This link is not valid any more. Go back and request a new one.</p>'
  return showPage(reply.status(404), sandboxPage('There is no such page', content))
}

/** Formats a date in UTC: `31 January 2026`. */
export function dateText(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}
