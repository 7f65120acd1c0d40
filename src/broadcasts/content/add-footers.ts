import { compileText } from '../../emails/broadcast-content/compile.ts'
import { scanHtml } from '../../emails/tracking/html/scan-html.ts'

type Bodies = { html: string | null; text: string | null }

const htmlFooter =
  '<p style="margin:24px 0;font:13px/1.5 sans-serif;text-align:center"><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
const textFooter = 'Unsubscribe: {{unsubscribeUrl}}'

/** Adds an unsubscribe link at the end of each body that does not name one, so that every recipient can unsubscribe. */
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

/** Puts the footer first if the document ends inside of something such as a comment, which would hide it. */
function withHtmlFooter(html: string): string {
  const end = scanHtml(html, 0).bodyEnd ?? 0
  return html.slice(0, end) + htmlFooter + html.slice(end)
}
