import { readFileSync, statSync } from 'node:fs'
import type { Parser } from './parsers.ts'

/** An error that prevents the start. The operator sees one line, without a stack. */
export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>

/** Throws `ConfigError` that names the variable, what it must be, and what it was; `fault` says which part is wrong. */
export function refuseVariable(name: string, must: string, was: string | undefined, fault?: string | null): never {
  const line = `${name} must be ${must}; it was ${was ? JSON.stringify(was) : 'not set'}.`
  throw new ConfigError(fault ? `${line} ${fault}` : line)
}

/**
 * Makes a reader of one environment: `read(name, fallback, parser)`. With a fallback of null it returns null if nothing
 * is set. A variable may also come from the file that `NAME_FILE` names.
 */
export function environmentReader(environment: Environment) {
  function read<T>(name: string, fallback: string, parser: Parser<T>): T
  function read<T>(name: string, fallback: null, parser: Parser<T>): T | null
  function read<T>(name: string, fallback: string | null, parser: Parser<T>): T | null
  function read<T>(name: string, fallback: string | null, parser: Parser<T>): T | null {
    const fromFile = readVariableFile(environment, name)
    const value = fromFile ?? (environment[name] || fallback)
    if (value === null) return null
    const parsed = parser.parse(value)
    if (parsed !== undefined) return parsed
    const isHidden = parser.secret || fromFile !== null
    return refuseVariable(name, parser.must, isHidden ? 'a secret, not shown' : value, parser.fault?.(value))
  }
  return read
}

const fileMaxBytes = 64 * 1024

/** Returns the content of the file that `NAME_FILE` names, without the line break at its end. Null if none is named. */
function readVariableFile(environment: Environment, name: string): string | null {
  const variable = `${name}_FILE`
  const path = environment[variable]
  if (!path) return null
  if (environment[name]) throw new ConfigError(`${name} and ${variable} are both set; set one of them.`)
  const text = readSmallFile(variable, path).replace(/\r?\n$/, '')
  if (text === '') refuseVariable(variable, 'a file that holds the value; it is empty', path)
  return text
}

function readSmallFile(variable: string, path: string): string {
  const must = `a file of at most ${fileMaxBytes / 1024} KiB that this user may read`
  try {
    const stats = statSync(path)
    if (stats.isFile() && stats.size <= fileMaxBytes) return readFileSync(path, 'utf8')
  } catch (error) {
    refuseVariable(variable, `${must} (${(error as NodeJS.ErrnoException).code})`, path)
  }
  return refuseVariable(variable, must, path)
}
