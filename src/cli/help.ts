import { overview } from '../../cli/src/help.ts'
import { commands } from './commands.ts'

const usageWidth = Math.max(...Object.values(commands).map(({ usage }) => usage.length))

function linesOf(names: string[]): string {
  return names
    .map((name) => commands[name]!)
    .map(({ usage, summary }) => `  posthorn ${usage.padEnd(usageWidth)} ${summary}`)
    .join('\n')
}

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 called wrongly.'

export const help = `Posthorn: the messaging platform you run yourself.

Over HTTP, with an API key (posthorn login saves one):
${overview()}

On the server's own machine:
${linesOf(Object.keys(commands))}

  --help      this text, or a command's: posthorn emails list --help
  --version   the version

Those of the server's own machine work while a server runs on the same DATA_DIR or DATABASE_URL.
Results go to stdout, progress and faults to stderr.
Exit codes: 0 done, 1 refused or failed, 2 called wrongly; over HTTP also 3 no good key, 4 out of reach, 130 interrupted.`

/** Tells whether commands of two words begin with this one, such as `team`. */
export function isGroup(word: string): boolean {
  return commandsOf(word).length > 0
}

function commandsOf(word: string): string[] {
  return Object.keys(commands).filter((name) => name.startsWith(`${word} `))
}

/** The help for arguments that name no command: the commands of a group, or all. */
export function helpFor([word = '']: string[]): string {
  return isGroup(word)
    ? `Usage:\n${linesOf(commandsOf(word))}\n\nMore about one: posthorn ${commandsOf(word)[0]} --help`
    : help
}

export function helpOf(name: string): string {
  const { usage, detail } = commands[name]!
  return `Usage: posthorn ${usage}\n\n${detail}\n${exitCodes}`
}
