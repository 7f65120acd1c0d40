import { type JSONPathNode, JSONPathNodeList, type JSONPathQuery, jsonpath } from 'json-p3'
import { canonicalNumber, compareDecimals, isDouble } from '../../platform/numbers/decimal.ts'
import { decimalOfValue, ExactNumber } from '../../platform/numbers/exact-number.ts'

const { selectors, expressions } = jsonpath
type Segment = JSONPathQuery['segments'][number]
type Expression = InstanceType<typeof expressions.FilterExpression>

/** The nesting of filters. */
const nestingMax = 5
/** The values that a query inside a filter may find for each value that is filtered. */
const innerMax = 10_000

/**
 * Makes a query visit one value at a time, so that its memory stays small; json-p3 collects whole levels. Also orders
 * texts as RFC 9535 does, compares numbers by all their digits, and refuses json-p3's extensions. Throws an error that
 * says what is wrong with the expression.
 */
export function tame(query: JSONPathQuery, nesting = 0): JSONPathQuery {
  for (const segment of query.segments) {
    // Only descendant segments have `visit`.
    const visit = 'visit' in segment ? (segment.visit as Visit).bind(segment) : null
    segment.lazyResolve = (nodes) => resolve(segment, nodes, visit)
    for (const selector of segment.selectors) {
      if (!known.some((type) => selector instanceof type)) throw new Error(`has a selector that is not in RFC 9535`)
      if (selector instanceof selectors.FilterSelector) tameExpression(selector.expression, nesting + 1)
    }
  }
  return query
}

const known = [
  ...[selectors.NameSelector, selectors.IndexSelector, selectors.SliceSelector],
  ...[selectors.WildcardSelector, selectors.FilterSelector],
]

type Visit = (node: JSONPathNode) => Iterable<JSONPathNode>

function* resolve(segment: Segment, nodes: Iterable<JSONPathNode>, visit: Visit | null): Generator<JSONPathNode> {
  for (const node of nodes) {
    for (const visited of visit ? visit(node) : [node]) {
      for (const selector of segment.selectors) yield* selector.lazyResolve(visited)
    }
  }
}

function tameExpression(expression: Expression, nesting: number): void {
  if (nesting > nestingMax) throw new Error(`has filters in filters, more than ${nestingMax} deep`)
  if (expression instanceof expressions.FilterQuery) {
    const { path } = expression
    tame(path, nesting)
    const all = path.lazyQuery.bind(path)
    path.lazyQuery = (value) => atMost(all(value))
  } else if (expression instanceof expressions.LogicalExpression) {
    tameExpression(expression.expression, nesting)
  } else if (expression instanceof expressions.PrefixExpression) {
    tameExpression(expression.right, nesting)
  } else if (expression instanceof expressions.InfixExpression) {
    tameExpression(expression.left, nesting)
    tameExpression(expression.right, nesting)
    compareAsWritten(expression)
  } else if (expression instanceof expressions.FunctionExtension) {
    for (const argument of expression.args) tameExpression(argument, nesting)
  } else if (expression instanceof expressions.NumberLiteral) {
    const { value } = expression.token
    if (!isDouble(value)) Object.assign(expression, { value: new ExactNumber(value) })
  } else if (!literals.some((type) => expression instanceof type)) {
    throw new Error('has a part that is not in RFC 9535')
  }
}

/**
 * Compares texts by characters (RFC 9535, 2.3.5.2.2), where json-p3 compares UTF-16 units, and numbers by all their
 * digits, where json-p3 knows doubles.
 */
function compareAsWritten(infix: InstanceType<typeof expressions.InfixExpression>): void {
  const { operator } = infix
  const isEquality = operator === '==' || operator === '!='
  const holds = orders[operator]
  if (!holds && !isEquality) return
  infix.evaluate = (context) => {
    const [left, right] = [theOne(infix.left.evaluate(context)), theOne(infix.right.evaluate(context))]
    const isFound = !(left instanceof JSONPathNodeList || right instanceof JSONPathNodeList)
    if (isEquality && isFound) return isSameValue(left, right) === (operator === '==')
    const order = isFound && holds ? orderOf(left, right) : null
    return order === null ? expressions.compare(left, operator, right) : holds!(order)
  }
}

const orders: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

/**
 * Returns a number below 0, 0, or above 0; NaN for values without an order; null for values that json-p3 can compare.
 */
function orderOf(left: unknown, right: unknown): number | null {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left === right) return 0
    return comesBefore(left, right) ? -1 : 1
  }
  if (!(left instanceof ExactNumber || right instanceof ExactNumber)) return null
  const [one, other] = [decimalOfValue(left), decimalOfValue(right)]
  return one && other ? compareDecimals(one, other) : Number.NaN
}

function theOne(found: unknown): unknown {
  return found instanceof JSONPathNodeList && found.nodes.length === 1 ? found.nodes[0]!.value : found
}

const literals = [...[expressions.BooleanLiteral, expressions.StringLiteral, expressions.NullLiteral]]

function* atMost(nodes: Iterable<JSONPathNode>): Generator<JSONPathNode> {
  let count = 0
  for (const node of nodes) {
    if (++count > innerMax) throw new RangeError(`A query inside a filter finds more than ${innerMax} values.`)
    yield node
  }
}

/**
 * True if a text comes before another in the order of code points. UTF-16 units have the same order, except that
 * surrogates (D800 to DFFF) stand for characters beyond U+FFFF.
 */
function comesBefore(left: string, right: string): boolean {
  const lengthMin = Math.min(left.length, right.length)
  for (let index = 0; index < lengthMin; index++) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (one !== other) return rankOf(one) < rankOf(other)
  }
  return left.length < right.length
}

/** Sorts surrogates after all other units. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** True if two values are equal (RFC 9535, 2.3.5.2.2), numbers by all their digits. */
function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (left instanceof ExactNumber || right instanceof ExactNumber) return isSameNumber(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameValue(memberOf(left, name), memberOf(right, name)))
  )
}

/** A double never equals a number that no double holds. */
function isSameNumber(left: object, right: object): boolean {
  if (!(left instanceof ExactNumber && right instanceof ExactNumber)) return false
  return canonicalNumber(String(left)) === canonicalNumber(String(right))
}

function memberOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name]
}
