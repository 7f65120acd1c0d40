import { textOf } from '../placeholders/fill.ts'
import type { Rule } from './rule.ts'

/** UTF-16 units of one side in an execution's history. */
const sideMax = 1000

/** Shortens the sides of a rule for the history, since a hundred comparisons may name the same long value. */
export function shortenSides(rule: Rule): Rule {
  const short = new Map<unknown, unknown>()
  const shorten = (side: unknown) => {
    if (!short.has(side)) short.set(side, shortened(side))
    return short.get(side)
  }
  const walk = ({ left, operator, right, all, any: some }: Rule): Rule => {
    if (all) return { all: all.map(walk) }
    if (some) return { any: some.map(walk) }
    const shown: Rule = { left: shorten(left), operator: operator! }
    return right === undefined ? shown : { ...shown, right: shorten(right) }
  }
  return walk(rule)
}

function shortened(side: unknown): unknown {
  const text = textOf(side)
  return text.length > sideMax ? `${text.slice(0, sideMax).toWellFormed()}…` : side
}
