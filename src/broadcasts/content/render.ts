import type { App } from '../../context.ts'
import { subjectMax } from '../../emails/bounds.ts'
import { compileText, type Values } from '../../emails/of-broadcasts/compile.ts'
import { maskedToken } from '../../emails/of-broadcasts/fill.ts'
import { scanHtml } from '../../emails/tracking/html/scan-html.ts'
import { type ContactValues, valuesOf } from './variables.ts'

type Bodies = { html: string | null; text: string | null }
type Written = Bodies & { subject: string }

/** Renders a broadcast for its authors: `given` goes before the contact’s values, and unsubscribe links do nothing. */
export function renderBroadcast(app: App, written: Written, contact: ContactValues, given: Values = {}) {
  const bodies = addFooters(written)
  const subject = compileText(written.subject, { escape: 'none' })
  const html = compileText(bodies.html ?? '', { escape: 'html' })
  const text = compileText(bodies.text ?? '', { escape: 'text' })
  const names = [...new Set([...subject.names, ...html.names, ...text.names])]
  const unsubscribeUrl = `${app.publicUrl()}/unsubscribe?token=${maskedToken}`
  const values: Values = { ...valuesOf(contact, names), ...given, unsubscribeUrl }
  return {
    subject: oneLine(subject.render(values)),
    html: html.render(values) || null,
    text: text.render(values) || null,
    unset: names.filter((name) => !Object.hasOwn(values, name)),
  }
}

/** Makes a subject one header line, because values may hold line breaks. */
export function oneLine(subject: string): string {
  return subject
    .replace(/[\r\n]+/g, '')
    .slice(0, subjectMax)
    .toWellFormed()
}

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
