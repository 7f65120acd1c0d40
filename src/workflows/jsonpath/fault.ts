import { compileJsonPath, expressionMax } from './environment.ts'

/** Finds the fault of an expression; null if it is valid. */
export function jsonPathFault(expression: string): string | null {
  if (expression.length > expressionMax) return `must be ${expressionMax} characters at most`
  try {
    compileJsonPath(expression)
    return null
  } catch (error) {
    return `is not a valid JSONPath: ${(error as Error).message}`
  }
}
