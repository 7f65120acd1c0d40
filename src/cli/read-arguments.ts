import { parseArgs } from 'node:util'
import { isUuid } from '../platform/ids.ts'
import { isTestTeam, liveTeamOf } from '../platform/mode/mode.ts'
import { UsageError } from './usage-error.ts'

type Options = Readonly<Record<string, 'text' | 'flag'>>

type Shape<O extends Options> = {
  /** The arguments that are not options, in their order, by the names of the usage text. */
  required?: readonly string[]
  /** One more, or any number of them. */
  optional?: { name: string; many: boolean }
  options?: O
}

type Read<O extends Options> = {
  words: string[]
  options: { [Name in keyof O]?: O[Name] extends 'flag' ? true : string }
}

/** Reads the arguments of a command. Throws `UsageError` that says which argument is wrong and what would be right. */
export function readArguments<const O extends Options>(args: string[], shape: Shape<O>): Read<O> {
  const { required = [], optional, options: known = {} as O } = shape
  const { tokens } = parseArgs({ args, options: parsed(known), allowPositionals: true, strict: false, tokens: true })
  const words: string[] = []
  const options: Record<string, string | true> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue = false } = token
    if (!Object.hasOwn(known, name)) refuseOption(rawName, known)
    if (Object.hasOwn(options, name)) throw new UsageError(`${rawName} is there twice.`)
    options[name] = known[name] === 'flag' ? flagOf(rawName, value) : textOf(rawName, value, inlineValue)
  }
  refuseCount(words, required, optional)
  return { words, options: options as Read<O>['options'] }
}

function parsed(known: Options) {
  const types = Object.entries(known).map(([name, kind]) => {
    return [name, { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) }]
  })
  return Object.fromEntries(types) as Record<string, { type: 'boolean' | 'string' }>
}

function refuseOption(given: string, known: Options): never {
  const names = Object.keys(known).map((name) => `--${name}`)
  const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  throw new UsageError(`The command has no option ${given}; ${there}.`)
}

function flagOf(name: string, value: string | undefined): true {
  if (value !== undefined) throw new UsageError(`${name} takes no value; it was "${value}".`)
  return true
}

/**
 * Returns the value of a text option. A value that begins with a dash must follow an equals sign, as in `--team=-x`.
 */
function textOf(name: string, value: string | undefined, inlineValue: boolean): string {
  if (value === undefined || (!inlineValue && value.startsWith('-'))) throw new UsageError(`${name} needs a value.`)
  return value
}

function refuseCount(words: string[], required: readonly string[], optional: Shape<Options>['optional']): void {
  const missing = required.slice(words.length)
  if (missing.length > 0) throw new UsageError(`${missing.join(' and ')} must be given.`)
  const most = optional?.many ? Number.POSITIVE_INFINITY : required.length + (optional ? 1 : 0)
  if (words.length <= most) return
  const taken = [...required, ...(optional ? [optional.name] : [])]
  const takes = taken.length === 0 ? 'no arguments' : `${taken.join(' and ')} only`
  throw new UsageError(`The command takes ${takes}; there is also "${words[most]}".`)
}

/** Throws `UsageError` unless the text is a UUID. `what` says whose id it is, and `where` what lists them. */
export function refuseOtherId(text: string, what: string, where: string): void {
  if (!isUuid(text)) throw new UsageError(`The id of a ${what} is a UUID, and "${text}" is not; see: ${where}`)
}

export function refuseOtherTeamId(text: string): void {
  refuseOtherId(text, 'team', 'posthorn team list')
  // Logs also name this id, and what is set under it does not hold for the team.
  if (isTestTeam(text)) {
    throw new UsageError(`The id ${text} is that of a team's test mode. The team itself has the id ${liveTeamOf(text)}`)
  }
}
