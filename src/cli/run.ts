import { operatorOf, runAs } from '../platform/audit/actor.ts'
import { ConfigError } from '../platform/environment/read.ts'
import { commands } from './commands.ts'
import { helpFor, helpOf, isGroup } from './help.ts'
import { readArguments } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** Runs a command. The exit code is 0 on success, 1 on failure, 2 on wrong usage. */
export async function run(args: string[]): Promise<void> {
  const name = commandOf(args)
  try {
    await dispatch(name, args)
  } catch (error) {
    if (error instanceof UsageError && args.includes('--json')) fail(2, errorDocument(error))
    else if (error instanceof UsageError) fail(2, `${error.message}\n\n${helpAfterFault(name, args)}`)
    else if (error instanceof ConfigError) fail(1, error.message)
    else fail(1, `posthorn: ${(error as Error).message}`, process.env.LOG_LEVEL === 'debug' ? error : undefined)
  }
}

/** The document of the commands over HTTP: a program that misspells one of them comes here. */
function errorDocument({ message }: UsageError): string {
  return JSON.stringify({ error: { status: null, name: 'usage', message, requestId: null } })
}

/** Returns the command of two words or one; null if there is none of this name. */
function commandOf(args: string[]): string | null {
  if (args.length === 0) return 'serve'
  return [args.slice(0, 2).join(' '), args[0]!].find((candidate) => Object.hasOwn(commands, candidate)) ?? null
}

async function dispatch(name: string | null, args: string[]): Promise<void> {
  if (args.includes('--version')) return print((await import('../version.ts')).version)
  if (args[0] === 'help') return print(helpAbout(args.slice(1)))
  if (args.includes('--help') || args.includes('-h')) return print(helpAbout(args))
  if (!name) throw new UsageError(unknown(args))
  const rest = args.slice(args.length === 0 ? 0 : name.split(' ').length)
  if (commands[name]!.takesNothing) readArguments(rest, {})
  await runCommand(name, rest)
}

function helpAbout(args: string[]): string {
  const name = args.length > 0 ? commandOf(args) : null
  return name ? helpOf(name) : helpFor(args)
}

/** The help of the command or its group. All commands would push the fault out of sight. */
function helpAfterFault(name: string | null, args: string[]): string {
  return name || isGroup(args[0] ?? '') ? helpAbout(name ? name.split(' ') : args) : 'See: posthorn --help'
}

function unknown(args: string[]): string {
  if (args[0]!.startsWith('-')) return `posthorn has no option ${args[0]}.`
  const words = args.slice(0, 2).filter((arg) => !arg.startsWith('-'))
  return words.length === 1 && isGroup(words[0]!)
    ? `posthorn ${words[0]} needs one of its commands.`
    : `posthorn has no command "${words.join(' ')}".`
}

/** Runs a command on behalf of the operator. `serve` answers others, and is the system. */
async function runCommand(name: string, args: string[]): Promise<void> {
  const command = await commands[name]!.load()
  await (name === 'serve' ? command(args) : runAs(operatorOf(name), () => command(args)))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(code: number, message: string, detail?: unknown): void {
  process.stderr.write(`${message}\n`)
  if (detail) console.error(detail)
  process.exitCode = code
}
