import { callOf } from './call.ts'
import { flagsOf } from './command.ts'
import { commandOf, findCommand, flagsOfCommands, isNoun } from './commands.ts'
import { failureDocument, failureLine, toldOf, usageFailure } from './failure.ts'
import { commonFlags, readFlags } from './flags.ts'
import type { Io, LocalNames } from './io.ts'

/** Tells whether arguments name a command over HTTP. All others are those of the server's own machine. */
export async function isOverHttp(args: readonly string[], localNames: LocalNames): Promise<boolean> {
  const { words: given, rest } = arranged(args)
  const words = given[0] === 'help' ? given.slice(1) : given
  const found = findCommand(words)
  if (found) return found.name !== 'contacts import' || !rest.some((arg) => /^--team(=|$)/.test(arg))
  return isNoun(words.slice(0, 1)) && !(await localNames()).includes(words.slice(0, 2).join(' '))
}

/** Runs a command over HTTP. Returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(args, io)
  } catch (error) {
    const told = toldOf(error)
    if (isGiven(args, '--json', '--json=true')) io.err(failureDocument(told))
    else if (told.exitCode === 2)
      io.err(`${told.message}\n\n${await (await import('./help.ts')).usageFor(arranged(args).words, io)}\n`)
    else io.err(failureLine(told))
    return told.exitCode
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const { words, rest } = arranged(args)
  const found = findCommand(words)
  if (words[0] === 'help' || isGiven(rest, '--help', '-h')) {
    const { helpFor } = await import('./help.ts')
    io.out(`${await helpFor(words[0] === 'help' ? words.slice(1) : words, io)}\n`)
    return 0
  }
  if (!found) throw usageFailure(unknown(words))
  const command = await commandOf(found.name)
  const read = readFlags(found.name, [...words.slice(found.taken), ...rest], flagsOf(command))
  const { refuseWords } = await import('./words.ts')
  refuseWords(found.name, read.words, command.words ?? [])
  const work = await command.load()
  return (await work(callOf(found.name, io, read, flagsOfCommands))) ?? 0
}

/**
 * Splits arguments into the words they begin with and the rest. Flags of every command may stand first. They come in
 * front of the rest, in which words may follow `--`.
 */
function arranged(args: readonly string[]): { words: string[]; rest: string[] } {
  const first: string[] = []
  const others = [...args]
  while (others[0]?.startsWith('--')) {
    const name = others[0].slice(2).split('=')[0]!
    if (!Object.hasOwn(commonFlags, name)) break
    const isAlone = name === 'json' || others[0].includes('=')
    first.push(...others.splice(0, isAlone ? 1 : 2))
  }
  const end = others.findIndex((arg) => arg.startsWith('-'))
  const words = end < 0 ? others : others.slice(0, end)
  return { words, rest: [...first, ...(end < 0 ? [] : others.slice(end))] }
}

/** Tells whether one of these flags is given. What follows `--` are words. */
function isGiven(args: readonly string[], ...flags: string[]): boolean {
  const end = args.indexOf('--')
  return flags.some((flag) => (end < 0 ? args : args.slice(0, end)).includes(flag))
}

function unknown(words: readonly string[]): string {
  const [noun = ''] = words
  return words.length < 2
    ? `posthorn ${noun} needs one of its commands.`
    : `posthorn has no command "${words.slice(0, 2).join(' ')}".`
}
