import type { Parser } from './parsers.ts'

/** A start that cannot be: one line for the operator, no stack. */
export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>

/** Throws `ConfigError`: which variable, what it must be, what it was. */
export function refuseVariable(name: string, must: string, was: string | undefined): never {
  throw new ConfigError(`${name} must be ${must}; it was ${was ? JSON.stringify(was) : 'not set'}.`)
}

/** A reader of one environment: `read(name, fallback, parser)`; a fallback of null gives null where nothing is set. */
export function environmentReader(environment: Environment) {
  function read<T>(name: string, fallback: string, parser: Parser<T>): T
  function read<T>(name: string, fallback: null, parser: Parser<T>): T | null
  function read<T>(name: string, fallback: string | null, parser: Parser<T>): T | null
  function read<T>(name: string, fallback: string | null, parser: Parser<T>): T | null {
    const value = environment[name] || fallback
    if (value === null) return null
    const parsed = parser.parse(value)
    if (parsed === undefined) refuseVariable(name, parser.must, parser.secret ? 'a secret, not shown' : value)
    return parsed
  }
  return read
}
