import { DomainError } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import { isPlaceholder, textFiller, valueBehind } from '../placeholders/fill.ts'
import type { Rule } from './rule.ts'

/** The UTF-16 units of all sides together, with lists and objects as JSON. Comparing so much takes up to 0.2 s. */
const comparedMax = 8 * 1024 * 1024
/** The members of all lists that are sides. Each is compared, however short it is. */
const membersMax = 2_000_000

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
  let [length, members] = [0, 0]
  return (value) => {
    if (typeof value === 'string') length += value.length
    if (typeof value === 'object' && value !== null) {
      if (!known.has(value)) known.set(value, JSON.stringify(value).length)
      length += known.get(value)!
    }
    if (Array.isArray(value)) members += value.length
    if (length > comparedMax) throw tooMuch(`values that this rule compares are longer than ${comparedMax} characters`)
    if (members > membersMax) throw tooMuch(`lists that this rule compares have more than ${membersMax} members`)
    return value
  }
}

function tooMuch(what: string): DomainError {
  return new DomainError('invalid', `The ${what} together. Name smaller ones.`)
}
