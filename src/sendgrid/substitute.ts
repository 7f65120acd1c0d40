import { invalid } from '../platform/errors.ts'
import { renderedMax } from '../templates/render.ts'

/** A longer key would make each place of a text cost more. */
const keyMax = 100

/**
 * Replaces each key by its value, both as they are: SendGrid's substitutions are plain text in the subject and in
 * either content. Where keys begin alike the longest counts. A value is never expanded again.
 */
export function substitute(text: string, substitutions: Record<string, string>, path: string): string {
  const keys = Object.keys(substitutions).filter((key) => key !== '')
  if (keys.length === 0) return text
  refuseLong(substitutions, path)
  const anyKey = new RegExp(anyOf(keys), 'g')
  let length = text.length
  return text.replace(anyKey, (key) => {
    const value = substitutions[key]!
    length += value.length - key.length
    if (length > renderedMax) throw invalid(path, `make a text of more than ${renderedMax} characters`)
    return value
  })
}

function refuseLong(substitutions: Record<string, string>, path: string): void {
  if (Object.keys(substitutions).some((key) => key.length > keyMax))
    throw invalid(path, `have a key of more than ${keyMax} characters`)
}

/**
 * A pattern of the keys as a tree: keys that begin alike share their beginning. So each place of a text is compared
 * with one key at most, however many there are.
 */
function anyOf(keys: string[]): string {
  const longer = keys.filter((key) => key !== '')
  const branches = [...Map.groupBy(longer, (key) => key[0]!)].map(
    ([first, those]) => literal(first) + anyOf(those.map((key) => key.slice(1))),
  )
  if (branches.length === 0) return ''
  if (longer.length === keys.length && branches.length === 1) return branches[0]!
  return `(?:${branches.join('|')})${longer.length < keys.length ? '?' : ''}`
}

function literal(key: string): string {
  return key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
