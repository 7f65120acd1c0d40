import { Script } from 'node:vm'

/** The syntax error of a source, or null. Node's parser reads it; nothing runs. */
export function syntaxFault(source: string): string | null {
  try {
    new Script(`(async function (input) {${source}\n})`, { filename: 'code' })
  } catch (error) {
    const line = /^code:(\d+)/.exec((error as Error).stack ?? '')?.[1]
    return `is no JavaScript: ${(error as Error).message}${line === undefined ? '' : ` (line ${line})`}`
  }
  return isBody(source) ? null : 'is no JavaScript: It ends the function that it is the body of.'
}

/** One that ends the function, and opens another where ours ends, reads well only together with what stands around it. */
function isBody(source: string): boolean {
  try {
    // Takes a body alone (ECMAScript 20.2.1.1.1), but does not say in which line one is wrong.
    new AsyncFunction('input', source)
    return true
  } catch {
    return false
  }
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor
