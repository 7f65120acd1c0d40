import { invalid } from '../platform/errors.ts'
import { type FilledForm, linkPlaces } from './link-places.ts'
import { valueWriter } from './link-values.ts'
import { findPlaceholders, type Placeholder, placeholdersMax, tooManyPlaceholders } from './placeholder.ts'

/** A null renders as nothing: the variable exists and is empty. */
export type TemplateVariables = Record<string, string | number | boolean | null>

/**
 * The most characters of a rendered text. A short text can name a long value many times; no email needs more than this.
 */
export const renderedMax = 5_000_000

/**
 * Replaces each `{{ name }}` by the variable of that name, or else by the text behind a bar in it. A placeholder with
 * neither stays as it is. Values are never expanded again, and those within links are percent-encoded, but for triple
 * braces: `{{{name}}}` is the value as it is. Names are looked up whole: `{{user.name}}` is the variable `user.name`.
 */
export function renderText(source: string, variables: TemplateVariables, options: { escape: FilledForm }): string {
  if (!source.includes('{{')) return source
  const { stretches, known } = splitKnown(source, variables)
  const places = linkPlaces(stretches, options.escape)
  const write = valueWriter(options.escape)
  let length = source.length
  const shown = known.map(({ name, fallback, isTriple }, at) => {
    const given = String((Object.hasOwn(variables, name) ? variables[name] : fallback) ?? '')
    const written = write(places[at]!, given)
    const value = isTriple ? given : written
    length += value.length
    if (length > renderedMax) throw invalid('templateVariables', `make a text of more than ${renderedMax} characters`)
    return value
  })
  return stretches.reduce((text, stretch, at) => text + shown[at - 1]! + stretch)
}

/** Splits a text at the placeholders of known variables. */
function splitKnown(source: string, variables: TemplateVariables): { stretches: string[]; known: Placeholder[] } {
  const [stretches, known]: [string[], Placeholder[]] = [[], []]
  let at = 0
  let count = 0
  for (const found of findPlaceholders(source)) {
    if (++count > placeholdersMax) throw invalid('templateVariables', `cannot fill a text that ${tooManyPlaceholders}`)
    // Own properties only, so `{{constructor}}` finds nothing.
    if (!Object.hasOwn(variables, found.name) && found.fallback === undefined) continue
    stretches.push(source.slice(at, found.index))
    known.push(found)
    at = found.index + found.written.length
  }
  stretches.push(source.slice(at))
  return { stretches, known }
}

/** Renders a subject as one header line: line breaks in values are removed. */
export function renderSubject(source: string, variables: TemplateVariables): string {
  return renderText(source, variables, { escape: 'none' }).replace(/[\r\n]+/g, '')
}
