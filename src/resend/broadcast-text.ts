import { findPlaceholders } from '../templates/placeholder.ts'

/** The names of ours that are not properties, as Resend writes them. */
const names: [ours: string, theirs: string][] = [
  ['firstName', 'FIRST_NAME'],
  ['lastName', 'LAST_NAME'],
  ['email', 'EMAIL'],
  ['unsubscribeUrl', 'RESEND_UNSUBSCRIBE_URL'],
]
const ofTheirs = new Map(
  names.flatMap(([ours, theirs]) => [theirs, `contact.${theirs.toLowerCase()}`].map((name) => [name, ours])),
)
const ofOurs = new Map(names)

/** Returns a text with Resend's placeholders, such as `{{{FIRST_NAME|there}}}`, as one with ours. */
export function ourText(text: string): string {
  return replaced(text, (name) => ofTheirs.get(name) ?? `properties.${name.replace(/^contact\./, '')}`, ['{{', '}}'])
}

/** Returns one of our texts with Resend's placeholders. */
export function theirText(text: string): string {
  return replaced(text, (name) => ofOurs.get(name) ?? name.replace(/^properties\./, 'contact.'), ['{{{', '}}}'])
}

function replaced(text: string, rename: (name: string) => string, [open, close]: [string, string]): string {
  let [made, at] = ['', 0]
  for (const { written, index, name, fallback } of findPlaceholders(text)) {
    made += `${text.slice(at, index)}${open}${rename(name)}${fallback === undefined ? '' : `|${fallback}`}${close}`
    at = index + written.length
  }
  return made + text.slice(at)
}

const preview = /<div data-preview style="display:none[^"]*">([^<]*)<\/div>/

/** Puts the preview in front of the visible text, where mail programs read it from. */
export function withPreview(html: string, previewText: string | null): string {
  const plain = html.replace(preview, '')
  if (!previewText) return plain
  const text = previewText.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark]!)
  const line = `<div data-preview style="display:none;max-height:0;overflow:hidden">${text}</div>`
  const at = endOfBodyTag(plain) ?? 0
  return plain.slice(0, at) + line + plain.slice(at)
}

/** One look for each end, because a pattern for the whole tag would look through the rest at each `<body` again. */
function endOfBodyTag(html: string): number | null {
  const start = html.search(/<body/i)
  const end = start === -1 ? -1 : html.indexOf('>', start)
  return end === -1 ? null : end + 1
}

/** Returns the preview that `withPreview` put into HTML, and the HTML without it. */
export function previewIn(html: string): { html: string; previewText: string | null } {
  const text = preview.exec(html)?.[1]
  if (text === undefined) return { html, previewText: null }
  const previewText = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return { html: html.replace(preview, ''), previewText }
}
