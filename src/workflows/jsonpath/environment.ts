import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery, Nothing } from 'json-p3'
import { RE2JS } from 're2js'
import { ExactNumber } from '../../platform/numbers/exact-number.ts'
import { tame } from './tame.ts'

/** The length of an expression, in UTF-16 units. */
const expressionMax = 4000

/** RFC 9535, with patterns in linear time. The depth is larger than that of any value in an execution. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: 2000 })
environment.functionRegister.set(
  'match',
  patternFunction((regex, text) => regex.testExact(text)),
)
environment.functionRegister.set(
  'search',
  patternFunction((regex, text) => regex.test(text)),
)
environment.functionRegister.set('length', {
  argTypes: [FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.ValueType,
  call: lengthOf,
})

/** Compiles an expression. Throws an error that says what is wrong with it. */
export function compileJsonPath(expression: string): JSONPathQuery {
  return tame(environment.compile(expression))
}

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

/** Counts the characters of a text (RFC 9535, 2.4.4), where json-p3 counts UTF-16 units. */
function lengthOf(value: unknown): number | typeof Nothing {
  if (typeof value === 'string') return lengthInCharacters(value)
  if (Array.isArray(value)) return value.length
  if (value instanceof ExactNumber) return Nothing
  return typeof value === 'object' && value !== null ? Object.keys(value).length : Nothing
}

function lengthInCharacters(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function patternFunction(test: (regex: RE2JS, text: string) => boolean) {
  let last: { pattern: string; regex: RE2JS | null } | undefined
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      if (last?.pattern !== pattern) last = { pattern, regex: compilePattern(pattern) }
      return last.regex !== null && test(last.regex, text)
    },
  }
}

/** An invalid pattern matches nothing (RFC 9535, 2.4.6). */
function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(withDots(pattern))
  } catch {
    return null
  }
}

/** Replaces dots, which match all but LF and CR (RFC 9485, 5.3). RE2's dot matches CR. */
function withDots(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\./g, (part) => (part === '.' ? '[^\\n\\r]' : part))
}
