import { compileJsonPath } from './environment.ts'

/** The list of values that an expression finds, as JSON. Takes as long as it takes, so it is called where it can be stopped. */
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
