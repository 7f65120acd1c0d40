import { invalid } from '../platform/errors.ts'
import { renderedMax } from '../templates/render.ts'

/**
 * Replaces each key by its value, both as they are: SendGrid's substitutions are plain text in the subject and in
 * either content. Where keys begin alike the longest counts. A value is never expanded again.
 */
export function substitute(text: string, substitutions: Record<string, string>, path: string): string {
  const keys = Object.keys(substitutions).filter((key) => key !== '')
  if (keys.length === 0) return text
  const longestFirst = keys.toSorted((one, other) => other.length - one.length)
  const anyKey = new RegExp(longestFirst.map(literal).join('|'), 'g')
  let length = text.length
  return text.replace(anyKey, (key) => {
    const value = substitutions[key]!
    length += value.length - key.length
    if (length > renderedMax) throw invalid(path, `make a text of more than ${renderedMax} characters`)
    return value
  })
}

function literal(key: string): string {
  return key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
