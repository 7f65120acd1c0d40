import { compareDecimals, type Decimal, decimalOf, isDouble } from '../../platform/numbers/decimal.ts'
import { decimalOfValue, ExactNumber } from '../../platform/numbers/exact-number.ts'
import type { Search } from '../patterns/pattern.ts'
import { textOf } from '../placeholders/fill.ts'
import { includes } from './includes.ts'
import { compareInstants, instantOf } from './instant.ts'
import type { Operator } from './rule.ts'

/**
 * Compares two values. Null, a missing value, is the empty text on the left. On the right it equals only null, and is
 * no part of a text, so that a filter whose variable is missing lets nothing pass.
 */
export function compare(left: unknown, operator: Operator, right: unknown, search: Search): boolean {
  switch (operator) {
    case 'equals':
      return isSame(left, right)
    case 'not_equals':
      return !isSame(left, right)
    case 'contains':
      return contains(left, right)
    case 'not_contains':
      return !contains(left, right)
    case 'starts_with':
      return isSearchable(left, right) && textOf(left).startsWith(textOf(right))
    case 'ends_with':
      return isSearchable(left, right) && textOf(left).endsWith(textOf(right))
    case 'greater_than':
      return isLess(right, left)
    case 'less_than':
      return isLess(left, right)
    case 'exists':
      return left !== null
    case 'not_exists':
      return left === null
    case 'matches':
      return isSearchable(left, right) && search(textOf(right), textOf(left))
  }
}

/** Compares numbers if both sides are numbers, by all their digits, dates if both are dates, and texts otherwise. */
function isSame(left: unknown, right: unknown): boolean {
  return sameAs(right)(left)
}

/**
 * Compares with many values. The one value is read once, and a number among the others is not written out: it equals
 * only the same double, and a number that no double holds equals no double.
 */
function sameAs(one: unknown): (other: unknown) => boolean {
  if (one === null) return (other) => other === null
  const text = textOf(one)
  const decimal = decimalOfValue(one) ?? decimalOfText(one)
  const double = decimal && isDouble(text) ? Number(text) : null
  const isSameText = typeof one === 'string' ? sameAsText(one) : (other: string) => isSameNumber(decimal, other, text)
  return (other) => {
    if (typeof other === 'number') return other === double
    if (typeof other === 'string') return isSameText(other)
    if (!(other instanceof ExactNumber)) return textOf(other) === text
    return decimal !== null && double === null && compareDecimals(decimal, decimalOf(String(other))) === 0
  }
}

/** Compares a number, or a value that is none, with a text. */
function isSameNumber(decimal: Decimal | null, other: string, text: string): boolean {
  const its = decimal && decimalOfText(other)
  return its ? compareDecimals(decimal, its) === 0 : other === text
}

function sameAsText(one: string): (other: string) => boolean {
  const [decimal, instant] = [decimalOfShort(one), instantOf(one)]
  return (other) => {
    if (other === one) return true
    const its = decimal && decimalOfShort(other)
    if (its) return compareDecimals(decimal, its) === 0
    const at = instant && instantOf(other)
    return at !== null && compareInstants(instant!, at) === 0
  }
}

/** True if a list has an equal member, or a text has the part. */
function contains(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some(sameAs(right))
  return isSearchable(left, right) && includes(textOf(left), textOf(right))
}

/** Compares two numbers or two dates. */
function isLess(left: unknown, right: unknown): boolean {
  const order = compareExactly(left, right)
  if (order !== null) return order < 0
  const [a, b] = [decimalOfShort(left), decimalOfShort(right)]
  if (a && b) return compareDecimals(a, b) < 0
  const [one, other] = [instantOf(left), instantOf(right)]
  return one !== null && other !== null && (compareInstants(one, other) ?? 0) < 0
}

/**
 * A text that is a number in its usual form, of up to 15 digits before and after the point. `007` and long ids are
 * texts.
 */
const usual = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

function decimalOfShort(value: unknown): Decimal | null {
  return typeof value === 'string' && usual.test(value) ? decimalOf(value) : null
}

/** A number of any length, as JSON writes it. */
const written = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Compares a number with a number, or with a text that is one, by all their digits. Null if neither is a number, or one
 * is something else. Two texts are not compared: a long id is a text.
 */
function compareExactly(left: unknown, right: unknown): number | null {
  const [one, other] = [decimalOfValue(left), decimalOfValue(right)]
  if (one === null && other === null) return null
  const [a, b] = [one ?? decimalOfText(left), other ?? decimalOfText(right)]
  return a && b && compareDecimals(a, b)
}

function decimalOfText(value: unknown): Decimal | null {
  return typeof value === 'string' && written.test(value) ? decimalOf(value) : null
}

/** True if the left side is neither a list nor an object, and the right side is given. */
function isSearchable(left: unknown, right: unknown): boolean {
  return right !== null && (typeof left !== 'object' || left === null || left instanceof ExactNumber)
}
