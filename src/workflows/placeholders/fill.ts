import { ExactNumber } from '../../platform/numbers/exact-number.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { lookUp } from './look-up.ts'

/**
 * `{{trigger.path}}`, `{{node_<id>.path}}`, `{{vars.path}}`. Neighbouring parts match different characters, and no part
 * begins inside a name or blanks, so that any text takes linear time.
 */
const form = String.raw`\{\{[ \t]*((?:trigger|vars|node_[A-Za-z0-9_-]+)(?:\.[\p{L}\p{M}\p{Nd}_-]+|\[\d+\])*)[ \t]*\}\}`
const placeholder = new RegExp(form, 'gu')
const anywhere = new RegExp(form, 'u')
const whole = new RegExp(`^${form}$`, 'u')

/**
 * Fills the `{{…}}` of every text inside `config`, at any depth. A placeholder without a value stays. Null becomes the
 * empty text, numbers and booleans their text, and lists and objects their JSON. Values are never expanded again.
 */
export function fillAll<T>(config: T, context: Context): T {
  return eachText(config, textFiller(context))
}

/** Like `fillAll`, but a text that is one placeholder becomes the value itself: a number stays a number. */
export function fillValues<T>(config: T, context: Context): T {
  return eachText(config, (text) => fillValue(text, context))
}

function eachText<T>(config: T, fill: (text: string) => unknown): T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
    // `fromEntries` defines members, so that one called `__proto__` stays a member.
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(config) as T
}

/** Like `fillAll`, for texts that come one by one. Together they may become as long as a config. */
export function textFiller(context: Context): (text: string) => string {
  return filler(context, textOf)
}

/** Like `textFiller`, with texts that `put` makes of the values. */
export function fillWith(put: (value: unknown) => string, context: Context): (text: string) => string {
  return filler(context, put)
}

/**
 * Like `fillAll`, for a JSON text. A value cannot end the string that it is in; outside of strings it becomes JSON
 * itself.
 */
export function fillJson(text: string, context: Context): string {
  const inside = filler(context, (value) => JSON.stringify(textOf(value)).slice(1, -1))
  const outside = filler(context, (value) => JSON.stringify(value))
  return text.replace(/"(?:[^"\\]|\\.)*"|[^"]+/gs, (part) => (part.startsWith('"') ? inside(part) : outside(part)))
}

/** True if the text is JSON once its placeholders are filled. */
export function becomesJson(text: string): boolean {
  try {
    JSON.parse(text.replace(placeholder, '0'))
    return true
  } catch {
    return false
  }
}

/** Fills a text. One that is a single placeholder becomes its value, which may be a list or an object. */
export function fillValue(text: string, context: Context): unknown {
  const value = isPlaceholder(text) ? valueBehind(text, context) : undefined
  if (value === undefined) return fillAll(text, context)
  fillingOf(context).take(textOf(value).length)
  return value
}

/** Splits a text at its placeholders. `path` is null for the text between them. */
export function* piecesOf(text: string): Generator<{ text: string; path: string | null }> {
  let at = 0
  for (const { 0: written, 1: path, index } of text.matchAll(placeholder)) {
    if (index > at) yield { text: text.slice(at, index), path: null }
    yield { text: written, path: path! }
    at = index + written.length
  }
  if (at < text.length) yield { text: text.slice(at), path: null }
}

/** True if the text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return whole.test(text)
}

/** The value of a text that is one placeholder; undefined if there is none. */
export function valueBehind(text: string, context: Context): unknown {
  return lookUp(whole.exec(text)![1]!, context)
}

export function hasPlaceholder(text: string): boolean {
  return anywhere.test(text)
}

function filler(context: Context, put: (value: unknown) => string): (text: string) => string {
  const filling = fillingOf(context)
  return (text) => {
    filling.take(text.length)
    if (!text.includes('{{')) return text
    return text.replace(placeholder, (written, path: string) => {
      const value = lookUp(path, context)
      if (value === undefined) return written
      const filled = put(value)
      filling.take(filled.length - written.length)
      return filled
    })
  }
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
