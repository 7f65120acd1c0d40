import { DomainError } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import { isPlaceholder, textFiller, valueBehind } from '../placeholders/fill.ts'
import type { Rule } from './rule.ts'

/** The UTF-16 units of all sides together, with lists and objects as JSON. Comparing so much takes up to 0.2 s. */
const comparedMax = 8 * 1024 * 1024

/**
 * Fills the sides of a rule. A side that is one placeholder becomes its value without a copy, or null if there is none.
 * Throws `invalid` if all sides together are too long.
 */
export function fillSides(rule: Rule, context: Context): Rule {
  const fillText = textFiller(context)
  const weigh = scale()
  const fill = (side: unknown) => {
    if (typeof side !== 'string') return side
    return weigh(isPlaceholder(side) ? (valueBehind(side, context) ?? null) : fillText(side))
  }
  const walk = ({ left, operator, right, all, any: some }: Rule): Rule => {
    if (all) return { all: all.map(walk) }
    if (some) return { any: some.map(walk) }
    const filled: Rule = { left: fill(left), operator: operator! }
    return right === undefined ? filled : { ...filled, right: fill(right) }
  }
  return walk(rule)
}

function scale(): <T>(value: T) => T {
  const known = new Map<object, number>()
  let length = 0
  return (value) => {
    if (typeof value === 'string') length += value.length
    if (typeof value === 'object' && value !== null) {
      if (!known.has(value)) known.set(value, JSON.stringify(value).length)
      length += known.get(value)!
    }
    if (length > comparedMax) throw tooLong()
    return value
  }
}

function tooLong(): DomainError {
  const message = `The values that this rule compares are longer than ${comparedMax} characters together. Name smaller ones.`
  return new DomainError('invalid', message)
}
