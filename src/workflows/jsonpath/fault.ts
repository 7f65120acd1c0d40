import { compileJsonPath, expressionMax } from './environment.ts'

/** The fault of an expression, or null. */
export function jsonPathFault(expression: string): string | null {
  if (expression.length > expressionMax) return `must be ${expressionMax} characters at most`
  try {
    compileJsonPath(expression)
    return null
  } catch (error) {
    return `is no JSONPath: ${(error as Error).message}`
  }
}
