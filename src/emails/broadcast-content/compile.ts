import { escapeHtml, placeholder } from '../../templates/render.ts'

export type Values = Record<string, string>

/** A text with placeholders, read once and rendered for many. */
export type CompiledText = { names: ReadonlySet<string>; render(values: Values): string }

/** A short text can name a long value many times over: values past this length of the whole are left out. */
const renderedMax = 5_000_000

/** A placeholder without a value is rendered as nothing; what a value holds is never expanded again. */
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
      let length = source.length
      let rendered = ''
      for (const { before, name } of pieces) {
        const value = Object.hasOwn(values, name) ? values[name]! : ''
        const shown = form.escape === 'html' ? escapeHtml(value) : value
        const fits = length + shown.length <= renderedMax
        if (fits) length += shown.length
        rendered += fits ? before + shown : before
      }
      return rendered + rest
    },
  }
}
