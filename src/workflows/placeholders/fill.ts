import { DomainError } from '../../platform/errors.ts'
import { escapeHtml } from '../../templates/render.ts'
import type { Context } from '../nodes/node.ts'
import { lookUp } from './look-up.ts'

/** A short text can name a long value many times over; of all texts of one config together, in UTF-16 units. */
const filledMax = 1024 * 1024

/**
 * `{{trigger.path}}`, `{{node_<id>.path}}`, `{{vars.path}}`. No part can match what its neighbour does, and none begins inside
 * another's name or blanks, so the time grows with the length alone, whatever the text.
 */
const form = String.raw`\{\{[ \t]*((?:trigger|vars|node_[A-Za-z0-9_-]+)(?:\.[\p{L}\p{M}\p{Nd}_-]+|\[\d+\])*)[ \t]*\}\}`
const placeholder = new RegExp(form, 'gu')
const anywhere = new RegExp(form, 'u')
const whole = new RegExp(`^${form}$`, 'u')

/**
 * Every text inside `config`, whatever its depth, with its `{{…}}` filled; one with nothing behind it is left as it is. Null
 * becomes nothing, numbers and booleans their text, lists and objects their JSON. What a value holds is never expanded again.
 */
export function fillAll<T>(config: T, context: Context): T {
  const fill = textFiller(context)
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    // `fromEntries` defines, so that a member called `__proto__` stays one.
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(config) as T
}

/** The same for texts that come one by one, and may together become as long as a config. */
export function textFiller(context: Context): (text: string) => string {
  return filler(context, textOf)
}

/** The same for one text of HTML: what is put in is escaped, what stands around it is not. */
export function fillHtml(text: string, context: Context): string {
  return filler(context, (value) => escapeHtml(textOf(value)))(text)
}

/** The same for one text of JSON: a value cannot end the string that it is put into, and outside of strings it is JSON itself. */
export function fillJson(text: string, context: Context): string {
  const inside = filler(context, (value) => JSON.stringify(textOf(value)).slice(1, -1))
  const outside = filler(context, (value) => JSON.stringify(value))
  return text.replace(/"(?:[^"\\]|\\.)*"|[^"]+/gs, (part) => (part.startsWith('"') ? inside(part) : outside(part)))
}

/** Whether the text is JSON, as soon as its placeholders are filled. */
export function becomesJson(text: string): boolean {
  try {
    JSON.parse(text.replace(placeholder, '0'))
    return true
  } catch {
    return false
  }
}

/**
 * A text that is one placeholder and nothing else: what is behind it, as it is, list or object too. Any other text, and one with
 * nothing behind it: the text, filled.
 */
export function fillValue(text: string, context: Context): unknown {
  const value = isPlaceholder(text) ? valueBehind(text, context) : undefined
  return value === undefined ? fillAll(text, context) : value
}

/** The text in its parts: what is written, and `path` of a placeholder, null of what stands between them. */
export function* piecesOf(text: string): Generator<{ text: string; path: string | null }> {
  let at = 0
  for (const { 0: written, 1: path, index } of text.matchAll(placeholder)) {
    if (index > at) yield { text: text.slice(at, index), path: null }
    yield { text: written, path: path! }
    at = index + written.length
  }
  if (at < text.length) yield { text: text.slice(at), path: null }
}

/** Whether the text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return whole.test(text)
}

/** The value of a text that is one placeholder; undefined if it finds nothing. */
export function valueBehind(text: string, context: Context): unknown {
  return lookUp(whole.exec(text)![1]!, context)
}

/** Whether the text is not yet known as it stands. */
export function hasPlaceholder(text: string): boolean {
  return anywhere.test(text)
}

function filler(context: Context, put: (value: unknown) => string): (text: string) => string {
  let length = 0
  const take = (text: string) => {
    length += text.length
    if (length > filledMax) throw tooLong()
    return text
  }
  return (text) => {
    if (!text.includes('{{')) return take(text)
    length += text.length
    return text.replace(placeholder, (written, path: string) => {
      const value = lookUp(path, context)
      return value === undefined ? written : take(put(value))
    })
  }
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function tooLong(): DomainError {
  const message = `With its placeholders filled, the config of this node is longer than ${filledMax} characters. Name smaller values.`
  return new DomainError('invalid', message)
}
