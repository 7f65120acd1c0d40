import { invalid } from '../platform/errors.ts'

/** A null is rendered as nothing: the variable is there, and empty. */
export type TemplateVariables = Record<string, string | number | boolean | null>

/** A short text can name a long value many times over; no email wants more than this. */
export const renderedMax = 5_000_000

/** Each costs time, also one without a variable; an email of 5,000,000 characters could hold a million. */
const placeholdersMax = 250_000

/**
 * No part can match what its neighbour does, and no placeholder begins inside another's name or blanks, so the time
 * grows with the length alone, whatever the text.
 */
export const placeholder = /\{\{[ \t]*([\p{L}\p{M}\p{Nd}_.-]+)[ \t]*\}\}/gu

/**
 * `{{ name }}` replaced by the variable of that name. A placeholder without one stays as it is, and what a value holds
 * is never expanded again. Names are looked up whole: `{{user.name}}` is the variable `user.name`.
 */
export function renderText(source: string, variables: TemplateVariables, options: { escape: 'html' | 'none' }): string {
  if (!source.includes('{{')) return source
  let length = source.length
  let placeholders = 0
  return source.replace(placeholder, (written, name: string) => {
    if (++placeholders > placeholdersMax)
      throw invalid('templateVariables', `cannot fill a text of more than ${placeholdersMax} placeholders`)
    // Own ones alone: `{{constructor}}` is nobody's variable.
    if (!Object.hasOwn(variables, name)) return written
    const value = String(variables[name] ?? '')
    const shown = options.escape === 'html' ? escapeHtml(value) : value
    length += shown.length
    if (length > renderedMax) throw invalid('templateVariables', `make a text of more than ${renderedMax} characters`)
    return shown
  })
}

/** A subject is one header line: line breaks that came with a value are taken out. */
export function renderSubject(source: string, variables: TemplateVariables): string {
  return renderText(source, variables, { escape: 'none' }).replace(/[\r\n]+/g, '')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Safe as text and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character]!) : text
}
