import { Script } from 'node:vm'

/** Finds the syntax error of a source with Node's parser; null if there is none. The source is not run. */
export function syntaxFault(source: string): string | null {
  try {
    new Script(`(async function (input) {${source}\n})`, { filename: 'code' })
  } catch (error) {
    const line = /^code:(\d+)/.exec((error as Error).stack ?? '')?.[1]
    return `is not valid JavaScript: ${(error as Error).message}${line === undefined ? '' : ` (line ${line})`}`
  }
  return isBody(source) ? null : 'is not valid JavaScript: It ends the function whose body it is.'
}

/** Refuses a source that ends the function around it and begins another one. */
function isBody(source: string): boolean {
  try {
    // Parses the body alone (ECMAScript 20.2.1.1.1), but its errors do not name the line.
    new AsyncFunction('input', source)
    return true
  } catch {
    return false
  }
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor
