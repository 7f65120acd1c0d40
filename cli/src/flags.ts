import { usageFailure } from './failure.ts'
import type { Field } from './operation.ts'

/** The flags of a command, by name without dashes. */
export type Flags = Readonly<Record<string, Field & { /** Stands for the value in the help. */ value?: string }>>

export type Values = Record<string, string | number | boolean | string[] | undefined>

/** The flags of every command over HTTP. */
export const commonFlags = {
  url: { kind: 'text', value: 'URL', about: 'The server. POSTHORN_URL, the profile’s, or http://localhost:3000.' },
  key: { kind: 'text', value: 'KEY', about: 'The API key. POSTHORN_API_KEY, or the profile’s.' },
  profile: { kind: 'text', value: 'NAME', about: 'The saved server and key. POSTHORN_PROFILE, or default.' },
  json: { kind: 'boolean', about: 'One JSON document on stdout; errors as JSON on stderr.' },
} as const satisfies Flags

/** Reads arguments. Throws a `Failure` of usage that says which one is wrong and what would be right. */
export function readFlags(name: string, args: readonly string[], known: Flags): { words: string[]; values: Values } {
  const words: string[] = []
  const values: Values = {}
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (arg === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    if (!arg.startsWith('--')) {
      if (/^-[a-z]/i.test(arg)) refuseFlag(name, arg, known)
      words.push(arg)
      continue
    }
    const { flag, text, isNegated } = splitFlag(arg, known)
    const field = Object.hasOwn(known, flag) ? known[flag]! : refuseFlag(name, `--${flag}`, known)
    const next = args[at + 1]
    const isApart = text === undefined && next !== undefined && takesNext(field, next)
    if (isApart) at++
    setValue(values, flag, field, isNegated ? 'false' : isApart ? next : text)
  }
  return { words, values }
}

function splitFlag(arg: string, known: Flags) {
  const [flag = '', ...rest] = arg.slice(2).split('=')
  const positive = flag.replace(/^no-/, '')
  const isNegated = rest.length === 0 && positive !== flag && known[positive]?.kind === 'boolean'
  return { flag: isNegated ? positive : flag, text: rest.length > 0 ? rest.join('=') : undefined, isNegated }
}

/** A value that begins with two dashes follows an equals sign, as in `--subject=--x`. */
function takesNext(field: Field, next: string): boolean {
  return field.kind === 'boolean' ? next === 'true' || next === 'false' : !next.startsWith('--')
}

function refuseFlag(name: string, given: string, known: Flags): never {
  const names = Object.keys(known).map((each) => `--${each}`)
  throw usageFailure(`posthorn ${name} has no option ${given}; it has ${names.join(', ')}.`)
}

function setValue(values: Values, flag: string, field: Field, text: string | undefined): void {
  if (field.kind === 'list') {
    if (text === undefined) throw usageFailure(`--${flag} needs a value.`)
    // Values of a known set have no commas.
    const parts = field.values ? text.split(',') : [text]
    values[flag] = [
      ...((values[flag] as string[] | undefined) ?? []),
      ...parts.map((part) => checked(flag, field, part)),
    ]
    return
  }
  if (values[flag] !== undefined) throw usageFailure(`--${flag} is there twice.`)
  values[flag] = readOne(flag, field, text)
}

function readOne(flag: string, field: Field, text: string | undefined): string | number | boolean {
  if (field.kind === 'boolean') {
    if (text === undefined || text === 'true') return true
    if (text === 'false') return false
    throw usageFailure(`--${flag} is true or false; it was "${text}".`)
  }
  if (text === undefined) throw usageFailure(`--${flag} needs a value.`)
  if (field.kind !== 'number') return checked(flag, field, text)
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw usageFailure(`--${flag} must be a number; it was "${text}".`)
  return Number(text)
}

function checked(flag: string, { values }: Field, text: string): string {
  if (values && !values.includes(text))
    throw usageFailure(`--${flag} must be ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}; it was "${text}".`)
  return text
}

/** `scheduledAt` is `scheduled-at`. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
