import { compileText } from '../../emails/broadcast-content/compile.ts'
import { scanHtml } from '../../emails/tracking/html/scan-html.ts'

type Bodies = { html: string | null; text: string | null }

const htmlFooter =
  '<p style="margin:24px 0;font:13px/1.5 sans-serif;text-align:center"><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
const textFooter = 'Unsubscribe: {{unsubscribeUrl}}'

/** Everybody who gets a broadcast finds a way out of it: each body that does not name its link gets one at its end. */
export function addFooters({ html, text }: Bodies): Bodies {
  if (html === null && text === null) return { html: null, text: textFooter }
  return {
    html: html === null || namesLink(html) ? html : withHtmlFooter(html),
    text: text === null || namesLink(text) ? text : `${text.trimEnd()}\n\n-- \n${textFooter}\n`,
  }
}

function namesLink(source: string): boolean {
  return compileText(source, { escape: 'none' }).names.has('unsubscribeUrl')
}

/** Where a document ends inside of something else, a comment perhaps, it would be swallowed there: it goes first. */
function withHtmlFooter(html: string): string {
  const end = scanHtml(html, 0).bodyEnd ?? 0
  return html.slice(0, end) + htmlFooter + html.slice(end)
}
