import { invalid } from '../errors.ts'

/** Deeper than any request has reason to be, and shallow enough for every recursive walk behind it. */
const depthMax = 32

/**
 * The value of a JSON body. Refuses what would do harm further in: nesting past 32, `__proto__` keys, and text that
 * PostgreSQL cannot hold (NUL, lone surrogates).
 */
export function readJson(body: string): unknown {
  refuseDeepNesting(body)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    throw invalid('body', `is not valid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  const fault = findHostileText(value)
  if (fault) throw invalid(fault.path.replace(/^\./, '') || 'body', fault.message)
  return value
}

/** The fields of a form, each given once, under the same rules. */
export function readForm(body: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) {
    refuseText(name, 'body')
    refuseText(value, name)
    if (name in fields) throw invalid(name, 'is given more than once')
    fields[name] = value
  }
  return fields
}

/** Looked for in the text, before a parser recurses into it. Strings, which may be megabytes of base64, are jumped over. */
function refuseDeepNesting(body: string): void {
  let depth = 0
  for (let index = 0; index < body.length; index++) {
    const code = body.charCodeAt(index)
    if (code === 0x22) index = endOfString(body, index)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > depthMax) throw invalid('body', `is nested deeper than ${depthMax} levels`)
    } else if (code === 0x5d || code === 0x7d) depth--
  }
}

function endOfString(body: string, start: number): number {
  for (let end = body.indexOf('"', start + 1); end !== -1; end = body.indexOf('"', end + 1)) {
    let backslashes = 0
    while (body.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return body.length
}

type Fault = { path: string; message: string }

/** Bounded by the depth checked above. The path is put together on the way back, and only when there is a fault. */
function findHostileText(value: unknown): Fault | null {
  if (typeof value === 'string') return textFault(value)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = findHostileText(value[index])
      if (fault) return { ...fault, path: `[${index}]${fault.path}` }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const fault = nameFault(name) ?? findHostileText((value as Record<string, unknown>)[name])
      if (fault) return { ...fault, path: `.${name.toWellFormed().replaceAll('\0', '').slice(0, 200)}${fault.path}` }
    }
  }
  return null
}

function nameFault(name: string): Fault | null {
  return name === '__proto__' ? { path: '', message: 'is not a name that can be used' } : textFault(name)
}

function textFault(text: string): Fault | null {
  if (text.includes('\0')) return { path: '', message: 'must not hold the NUL character' }
  if (!text.isWellFormed()) return { path: '', message: 'must not hold a lone surrogate' }
  return null
}

/** For query strings, path parameters and forms. */
export function refuseText(text: string, path: string): void {
  const fault = textFault(text)
  if (fault) throw invalid(path, fault.message)
}
