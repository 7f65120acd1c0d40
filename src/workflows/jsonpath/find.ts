import { compileJsonPath } from './environment.ts'

/**
 * Finds the values of an expression, as a list in JSON. Has no time limit, so it runs in a thread that can be ended.
 */
export function findByJsonPath(expression: string, root: unknown, lengthMax: number): string {
  const found: string[] = []
  let length = 2
  for (const { value } of compileJsonPath(expression).lazyQuery(root as never)) {
    const text = JSON.stringify(value)
    length += text.length + 1
    if (length > lengthMax) throw new RangeError(`What it finds has more than ${lengthMax} characters as JSON.`)
    found.push(text)
  }
  return `[${found.join(',')}]`
}
