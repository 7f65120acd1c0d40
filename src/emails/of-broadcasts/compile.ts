import { type FilledForm, type LinkPlace, linkPlaces } from '../../templates/link-places.ts'
import { valueWriter } from '../../templates/link-values.ts'
import { findPlaceholders } from '../../templates/placeholder.ts'
import { textBody } from '../mime/bodies.ts'
import type { PreparedText } from '../mime/content.ts'
import { encodeWithGaps, type TextWithGaps } from '../mime/text-with-gaps.ts'

export type Values = Record<string, string>

/**
 * A text with placeholders, parsed once and filled for many recipients. On its way into messages it has these forms:
 *
 * | made | by | form |
 * | --- | --- | --- |
 * | for a letter, which `findLetter` keeps | `compileText` | `CompiledText` |
 * | for each email | `fill` | `FilledText`, a `PreparedText` |
 * | when that email is composed | `toBody` | `Body`: a filled `TextWithGaps`, or a `textBody` if the text is not suited |
 *
 * The constant parts of a `TextWithGaps` are encoded once for a `CompiledText`.
 */
export type CompiledText = {
  names: ReadonlySet<string>
  fill(values: Values): FilledText
  render(values: Values): string
}

/** A text with the values of one recipient. `length` is that of the rendered text. */
export type FilledText = PreparedText & { length: number; render(): string }

/**
 * Our own limit. A short text can name a long value many times, so values that would make the rendered text longer are
 * left out.
 */
const renderedMax = 5_000_000

/**
 * Parses a text. A placeholder without a value renders as its fallback or as nothing, and placeholders inside values
 * are not expanded. Values are escaped also within triple braces, because they come from the persons themselves.
 */
export function compileText(source: string, form: { escape: FilledForm }): CompiledText {
  const { stretches, names, fallbacks } = split(source)
  const constant = stretches.reduce((sum, stretch) => sum + stretch.length, 0)
  const places = linkPlaces(stretches, form.escape)
  const encoded = encodedOnce(stretches)
  const fill = (values: Values): FilledText => {
    const { shown, length } = valuesShown({ names, fallbacks, places }, values, form.escape, constant)
    // Begins at the second stretch, which follows the first value.
    const render = () => stretches.reduce((text, stretch, at) => text + shown[at - 1]! + stretch)
    const toBody = () => encoded()?.fill(shown) ?? textBody(render())
    return { length, render, toBody }
  }
  return { names: new Set(names), fill, render: (values) => fill(values).render() }
}

/** Returns the names and fallbacks of the placeholders, and the stretches before, between and after them. */
function split(source: string): { stretches: string[]; names: string[]; fallbacks: string[] } {
  const [stretches, names, fallbacks]: [string[], string[], string[]] = [[], [], []]
  let at = 0
  for (const { written, name, index, fallback = '' } of findPlaceholders(source)) {
    stretches.push(source.slice(at, index))
    names.push(name)
    fallbacks.push(fallback)
    at = index + written.length
  }
  stretches.push(source.slice(at))
  return { stretches, names, fallbacks }
}

/** Returns a function that encodes the text when it is first called, and then gives that. Null if it is not suited. */
function encodedOnce(stretches: string[]): () => TextWithGaps | null {
  let encoded: TextWithGaps | null | undefined
  return () => {
    if (encoded === undefined) encoded = encodeWithGaps(stretches)
    return encoded
  }
}

type Gaps = { names: string[]; fallbacks: string[]; places: (LinkPlace | null)[] }

/** Returns what each placeholder shows, and the length of the text, which is `constant` without placeholders. */
function valuesShown({ names, fallbacks, places }: Gaps, values: Values, form: FilledForm, constant: number) {
  const write = valueWriter(form)
  let length = constant
  const shown = names.map((name, at) => {
    const text = write(places[at]!, Object.hasOwn(values, name) ? values[name]! : fallbacks[at]!)
    if (length + text.length > renderedMax) return ''
    length += text.length
    return text
  })
  return { shown, length }
}
