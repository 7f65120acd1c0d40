import { canonicalNumber } from '../../platform/numbers/decimal.ts'
import { ExactNumber } from '../../platform/numbers/exact-number.ts'

/** True if two values are equal (RFC 9535, 2.3.5.2.2), numbers by all their digits. */
export function isSameValue(left: unknown, right: unknown): boolean {
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
