import { type Command, flagsOf } from './command.ts'
import { yesFlag } from './confirm.ts'
import { handmade } from './handmade.ts'
import { finderOf, nouns } from './nouns.ts'
import { verbNames, verbOf } from './verbs.ts'

/** Returns the names of all commands: those of one word first. */
export function commandNames(): string[] {
  const made = Object.keys(handmade)
  const isSingle = (name: string) => !name.includes(' ')
  return [...made.filter(isSingle), ...verbNames, ...made.filter((name) => !isSingle(name))]
}

/** Returns the flags of each command, by its name. */
export async function flagsOfCommands(): Promise<Map<string, string[]>> {
  const flags = commandNames().map(async (name) => [name, Object.keys(flagsOf(await commandOf(name)))] as const)
  return new Map(await Promise.all(flags))
}

/** Returns a command by its full name. */
export async function commandOf(name: string): Promise<Command> {
  return handmade[name] ?? drawn(name)
}

/** Returns a command that is drawn from the description of the API. */
async function drawn(name: string): Promise<Command> {
  const { operations } = await import('./operations.ts')
  const { paramsOf, performing } = await import('./perform.ts')
  const fields = await import('./fields.ts')
  const verb = verbOf(name)
  const operation: import('./operation.ts').Operation = operations[verb.does]
  const asks = verb.reachesMany || operation.method === 'DELETE'
  const argument = verb.argument === undefined ? [] : [wordOf(verb.argument, operation.fields[verb.argument]!.kind)]
  return {
    words: [...paramsOf(operation).map((param) => idWord(name, param)), ...argument],
    summary: operation.summary,
    flags: { ...fields.flagsOf(operation, verb), ...(asks && yesFlag) },
    load: async () => performing(name),
  }
}

function idWord(name: string, param: string): string {
  const finder = finderOf(name, param)
  const own = param === 'id' ? 'ID' : param.replace(/_?[iI]d$/, '').toUpperCase()
  return finder ? `${finder.word}|ID` : own
}

/** An argument may also be given as a flag, so it may be left out. */
function wordOf(field: string, kind: string): string {
  return kind === 'list'
    ? '[ADDRESS|ID…]'
    : `[${field === 'endpointUrl' ? 'URL' : field.replaceAll(/[A-Z]/g, '-$&').toUpperCase()}]`
}

const synonyms: Readonly<Record<string, string | undefined>> = { add: 'create', show: 'get', remove: 'delete' }
const wordsMax = 3

/**
 * Returns the full name of the command that arguments begin with, and how many words it took. Null if there is none.
 */
export function findCommand(args: readonly string[]): { name: string; taken: number } | null {
  const words = args.slice(0, wordsMax)
  for (let taken = words.length; taken > 0; taken--) {
    const name = known(words.slice(0, taken))
    if (name) return { name, taken }
  }
  const usual = nouns[args[0] ?? '']?.usual
  return usual && (args[1] === undefined || args[1].startsWith('-')) ? { name: `${args[0]} ${usual}`, taken: 1 } : null
}

function known(words: readonly string[]): string | null {
  const plain = words[0] === 'whatsapp' && words[1] === 'messages' ? ['whatsapp', ...words.slice(2)] : words
  const [last = ''] = plain.slice(-1)
  const others = [last, synonyms[last], Object.keys(synonyms).find((word) => synonyms[word] === last)]
  const names = others.flatMap((word) => (word ? [[...plain.slice(0, -1), word].join(' ')] : []))
  return names.find((name) => Object.hasOwn(handmade, name) || verbNames.includes(name)) ?? null
}

/** Tells whether there are commands whose names begin with these words, such as `sms senders`. */
export function isNoun(words: readonly string[]): boolean {
  return words.length > 0 && commandNames().some((name) => name.startsWith(`${words.join(' ')} `))
}
