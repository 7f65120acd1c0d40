import { escapeHtml } from '../../platform/escape-html.ts'
import { placeholder } from '../../templates/render.ts'

export type Values = Record<string, string>

/** A text with placeholders, parsed once and rendered for many recipients. */
export type CompiledText = { names: ReadonlySet<string>; render(values: Values): string }

/** Ours. A short text can name a long value many times, so values that would make the rendered text longer are left out. */
const renderedMax = 5_000_000

/** Parses a text. A placeholder without a value renders as nothing, and placeholders inside values are not expanded. */
export function compileText(source: string, form: { escape: 'html' | 'none' }): CompiledText {
  const pieces: { before: string; name: string }[] = []
  let at = 0
  for (const match of source.matchAll(placeholder)) {
    pieces.push({ before: source.slice(at, match.index), name: match[1]! })
    at = match.index + match[0].length
  }
  const rest = source.slice(at)
  return {
    names: new Set(pieces.map(({ name }) => name)),
    render(values) {
      // Each value is escaped once: a long one that 100,000 placeholders name would take a minute.
      const shownByName = new Map<string, string>()
      let length = source.length
      let rendered = ''
      for (const { before, name } of pieces) {
        const shown = shownByName.get(name) ?? shownOf(values, name, form.escape)
        shownByName.set(name, shown)
        const fits = length + shown.length <= renderedMax
        if (fits) length += shown.length
        rendered += fits ? before + shown : before
      }
      return rendered + rest
    },
  }
}

function shownOf(values: Values, name: string, form: 'html' | 'none'): string {
  const value = Object.hasOwn(values, name) ? values[name]! : ''
  return form === 'html' ? escapeHtml(value) : value
}
