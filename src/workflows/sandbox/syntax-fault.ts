import { Script } from 'node:vm'

/** What keeps a source from being one at all, or null. It is only read here, by Node's parser; nothing of it runs. */
export function syntaxFault(source: string): string | null {
  try {
    new Script(`(async function (input) {${source}\n})`, { filename: 'code' })
    return null
  } catch (error) {
    const line = /^code:(\d+)/.exec((error as Error).stack ?? '')?.[1]
    return `is no JavaScript: ${(error as Error).message}${line === undefined ? '' : ` (line ${line})`}`
  }
}
