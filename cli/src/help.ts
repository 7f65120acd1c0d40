import { flagsOf } from './command.ts'
import { commandNames, commandOf, findCommand, isNoun } from './commands.ts'
import { exitCodes } from './failure.ts'
import { commonFlags, type Flags } from './flags.ts'
import { handmade } from './handmade.ts'
import type { Io } from './io.ts'
import { nouns } from './nouns.ts'

/**
 * Returns the part of `posthorn --help` about the commands over HTTP: a line for each noun, with its verbs, between
 * those of one word.
 */
export function overview(): string {
  const names = commandNames()
  const single = names.filter((name) => !name.includes(' '))
  const first = single.slice(0, single.indexOf('send') + 1)
  const groups = Object.keys(nouns).filter((noun) => !noun.includes(' '))
  const rows = [
    ...first.map((name) => [name, handmade[name]!.summary]),
    ...groups.map((noun) => [noun, verbsOf(noun, names).join(', ')]),
    ...single.slice(first.length).map((name) => [name, handmade[name]!.summary]),
  ]
  const width = Math.max(...rows.map(([left]) => left!.length))
  return rows.flatMap(([left = '', right = '']) => wrapped(`  ${left.padEnd(width)}  `, right)).join('\n')
}

/** Returns the second words of the commands of a noun. */
function verbsOf(noun: string, names: readonly string[]): string[] {
  const own = names.filter((name) => name.startsWith(`${noun} `)).map((name) => name.split(' ')[1]!)
  return [...new Set(own)]
}

const lineMax = 110

/** Breaks a list at commas. Further lines stand below its beginning. */
function wrapped(left: string, text: string): string[] {
  const lines = [left]
  for (const part of text.split(/(?<=, )/)) {
    const last = lines.at(-1)!
    if (last.length + part.length > lineMax) lines.push(' '.repeat(left.length) + part)
    else lines[lines.length - 1] = last + part
  }
  return lines.map((line) => line.trimEnd())
}

/** Returns the help of a command, or the commands of a noun. */
export async function helpFor(words: readonly string[], io: Io): Promise<string> {
  const found = findCommand(words)
  return found ? helpOf(found.name) : listOf(words, io)
}

/** Returns what follows a fault: how the command is called. */
export async function usageFor(words: readonly string[], io: Io): Promise<string> {
  const found = findCommand(words)
  if (!found) return listOf(words, io)
  return `Usage: ${await usageOf(found.name)}\n\nMore: posthorn ${found.name} --help`
}

async function usageOf(name: string): Promise<string> {
  const { words = [], flags = {} } = await commandOf(name)
  const needed = Object.entries(flags).filter(([, { required }]) => required)
  const parts = [...words, ...needed.map(([flag, field]) => `--${flag} ${valueName(field)}`), '[options]']
  return `posthorn ${name} ${parts.join(' ')}`
}

async function helpOf(name: string): Promise<string> {
  const command = await commandOf(name)
  const detail = command.detail ? `\n${command.detail}\n` : ''
  return `Usage: ${await usageOf(name)}\n\n${sentence(command.summary)}\n${detail}\nOptions:\n${optionLines(flagsOf(command))}\n\n${exitCodes}`
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

/** The flags of every command come last. */
function optionLines(flags: Flags): string {
  const own = Object.keys(flags).filter((flag) => !Object.hasOwn(commonFlags, flag))
  const names = [...own, ...Object.keys(commonFlags).filter((flag) => flag in flags)]
  const left = names.map((flag) => `--${flag} ${valueName(flags[flag]!)}`.trimEnd())
  const width = Math.min(34, Math.max(...left.map((text) => text.length)))
  return names.map((flag, index) => `  ${left[index]!.padEnd(width)}  ${aboutOf(flags[flag]!)}`.trimEnd()).join('\n')
}

function aboutOf({ about = '', required, values }: Flags[string]): string {
  const chosen = values ? `${values.join(', ')}.` : ''
  return [required ? 'Needed.' : '', about, chosen].filter(Boolean).join(' ')
}

function valueName({ kind, value }: Flags[string]): string {
  if (value) return value
  return { text: 'TEXT', number: 'N', boolean: '', list: 'TEXT…', json: 'JSON|@FILE' }[kind]
}

/** Returns the commands of a noun, one a line. */
async function listOf(words: readonly string[], io: Io): Promise<string> {
  const prefix = [words.slice(0, 2), words.slice(0, 1)].find(isNoun)?.join(' ') ?? ''
  const names = commandNames().filter((name) => name.startsWith(`${prefix} `))
  const rows = await Promise.all(
    names.map(async (name) => {
      const { words: taken = [], summary } = await commandOf(name)
      return { left: `posthorn ${[name, ...taken].join(' ')}`, summary }
    }),
  )
  const width = Math.max(...rows.map(({ left }) => left.length))
  const lines = rows.map(({ left, summary }) => `  ${left.padEnd(width)}  ${summary}`)
  const about = nouns[prefix]?.summary
  const local = (await io.localNames()).filter((name) => name.startsWith(`${prefix} `))
  return [
    ...(about ? [`${sentence(about)}\n`] : []),
    `Usage:\n${lines.join('\n')}\n`,
    ...(local.length > 0
      ? [`On the server's own machine also: ${local.map((name) => `posthorn ${name}`).join(', ')}.\n`]
      : []),
    `More about one: posthorn ${names[0]} --help`,
  ].join('\n')
}
