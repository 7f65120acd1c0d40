import { readFileSync } from 'node:fs'
import { ExactNumber, parseExactly } from '../../src/platform/numbers/exact-number.ts'
import type { Call } from './call.ts'
import { Failure, usageFailure } from './failure.ts'
import { type Flags, kebab } from './flags.ts'
import { type Io, readStdin, withoutMark } from './io.ts'
import type { Field, Operation } from './operation.ts'
import type { Verb } from './verbs.ts'

type Given = Pick<Verb, 'argument' | 'renames' | 'sets'> & { words: string[] }
type Row = Record<string, unknown>

/** Returns the flags of an operation: its fields in kebab case, and what the command line adds. */
export function flagsOf({ fields, takes, key, paged }: Operation, { renames = {}, sets = {}, argument }: Verb): Flags {
  const named = Object.entries(fields)
    .filter(([field]) => !(field in sets))
    .map(([field, about]) => [flagOf(field, renames), { ...about, ...(field === argument && { required: undefined }) }])
  const isJson = takes === 'body' && Object.keys(sets).length === 0
  return {
    ...Object.fromEntries(named),
    ...('html' in fields && { 'html-file': { kind: 'text', value: 'FILE', about: 'A file with the HTML.' } }),
    ...(isJson && {
      data: { kind: 'text', value: 'JSON', about: 'All fields as JSON: a text, @FILE, or @- for stdin.' },
    }),
    ...(paged && { all: { kind: 'boolean', about: 'All rows, not one page; at most --limit.' } }),
    ...(key && { 'idempotency-key': { kind: 'text', about: 'A repeated request with this key does nothing again.' } }),
  }
}

function flagOf(field: string, renames: Readonly<Record<string, string>>): string {
  return Object.keys(renames).find((flag) => renames[flag] === field) ?? kebab(field)
}

/** Returns the fields of a request, from its argument, its flags and `--data`. Throws a `Failure` if one is missing. */
export async function fieldValues(call: Call, operation: Operation, given: Given): Promise<Row> {
  const { values, words, io } = { ...call, words: given.words }
  const { renames = {}, sets = {}, argument } = given
  const result: Row = values.data === undefined ? {} : await readObject(io, String(values.data))
  for (const [name, field] of Object.entries(operation.fields)) {
    const flag = flagOf(name, renames)
    const value = values[flag] ?? (name === argument && words.length > 0 ? argumentOf(field, words) : undefined)
    if (value !== undefined) result[name] = await readValue(io, flag, field, value)
  }
  if (values['html-file'] !== undefined) result.html = readText(String(values['html-file']))
  Object.assign(result, sets)
  const missing = Object.entries(operation.fields).filter(
    ([name, field]) => field.required && result[name] === undefined,
  )
  if (missing.length > 0) {
    const names = missing.map(([name]) =>
      name === argument ? kebab(name).toUpperCase() : `--${flagOf(name, renames)}`,
    )
    throw usageFailure(`posthorn ${call.name}: ${names.join(' and ')} must be given.`)
  }
  return result
}

function argumentOf({ kind }: Field, words: string[]): string | string[] {
  return kind === 'list' ? words : words[0]!
}

async function readValue(io: Io, flag: string, { kind, nullable }: Field, value: unknown): Promise<unknown> {
  if (nullable && value === '') return null
  return kind === 'json' ? readJson(io, String(value), `--${flag}`) : value
}

/** Reads `JSON`, `@FILE` or `@-`, which is stdin. Numbers keep all their digits. */
export async function readJson(io: Io, text: string, flag: string): Promise<unknown> {
  const json = text === '@-' ? await readStdin(io) : text.startsWith('@') ? readText(text.slice(1)) : text
  try {
    return parseExactly(json)
  } catch (error) {
    throw usageFailure(`${flag} is not JSON: ${(error as Error).message}`)
  }
}

async function readObject(io: Io, text: string): Promise<Row> {
  const value = await readJson(io, text, '--data')
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber)
    throw usageFailure('--data must be a JSON object.')
  return { ...value }
}

/** Reads a file that the caller names. Throws a `Failure` of usage if it cannot be read. */
export function readText(path: string): string {
  return withoutMark(readBytes(path).toString('utf8'))
}

export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failure(
      2,
      'usage',
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`,
    )
  }
}
