import { textOf } from '../placeholders/fill.ts'
import type { Rule } from './rule.ts'

/** UTF-16 units of one side in an execution's history. */
const sideMax = 1000

/** A rule as the history shows it: a long side is a text that breaks off, for a hundred comparisons may name one long value. */
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
