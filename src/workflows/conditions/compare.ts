import { isTime } from '../../platform/http/validation.ts'
import type { Search } from '../patterns/pattern.ts'
import { textOf } from '../placeholders/fill.ts'
import { includes } from './includes.ts'
import type { Operator } from './rule.ts'

/** Compares two values. Null, a missing value, is the empty text on the left; on the right it equals only null. */
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
      return isPlain(left) && textOf(left).startsWith(textOf(right))
    case 'ends_with':
      return isPlain(left) && textOf(left).endsWith(textOf(right))
    case 'greater_than':
      return isLess(right, left)
    case 'less_than':
      return isLess(left, right)
    case 'exists':
      return left !== null
    case 'not_exists':
      return left === null
    case 'matches':
      return isPlain(left) && search(textOf(right), textOf(left))
  }
}

/** Compares numbers if both sides are numbers, and texts otherwise. */
function isSame(left: unknown, right: unknown): boolean {
  return sameAs(right)(left)
}

/** Compares with many values. The text of a long list is made once. */
function sameAs(one: unknown): (other: unknown) => boolean {
  if (one === null) return (other) => other === null
  const [number, text] = [numberOf(one), textOf(one)]
  return (other) => {
    const its = number === null ? null : numberOf(other)
    return its === null ? textOf(other) === text : its === number
  }
}

/** True if a list has an equal member, or a text has the part. */
function contains(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some(sameAs(right))
  return isPlain(left) && includes(textOf(left), textOf(right))
}

/** Compares two numbers or two times. */
function isLess(left: unknown, right: unknown): boolean {
  const [a, b] = [numberOf(left) ?? timeOf(left), numberOf(right) ?? timeOf(right)]
  if (a === null || b === null || (numberOf(left) === null) !== (numberOf(right) === null)) return false
  return a < b
}

/** A number in its usual form that keeps all its digits. `007` and long ids are texts. */
const numeric = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeric.test(value) ? Number(value) : null
}

function timeOf(value: unknown): number | null {
  return typeof value === 'string' && isTime(value) ? Date.parse(value) : null
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
