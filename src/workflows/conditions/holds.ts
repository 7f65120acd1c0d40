import { takeTurn } from '../../platform/waiting/turns.ts'
import { createSearch, type Search } from '../patterns/pattern.ts'
import { compare } from './compare.ts'
import type { Rule } from './rule.ts'

/** Decides a rule whose sides are filled. Throws `invalid` if a pattern is bad or too much work. */
export function holds(rule: Rule): boolean {
  return decide(rule, createSearch())
}

/** Like `holds`. Rules with long sides have a turn each, since up to 20 nodes of an execution may begin together. */
export async function holdsInTurn(rule: Rule): Promise<boolean> {
  if (isLong(rule)) await takeTurn()
  return holds(rule)
}

/** Comparing a side of more members or UTF-16 units takes a noticeable time. */
const shortMax = 1000

function isLong({ left, right, all = [], any = [] }: Rule): boolean {
  const isLongSide = (side: unknown) => (typeof side === 'string' || Array.isArray(side)) && side.length > shortMax
  return isLongSide(left) || isLongSide(right) || [...all, ...any].some(isLong)
}

function decide({ left, operator, right, all, any }: Rule, search: Search): boolean {
  if (all) return all.every((member) => decide(member, search))
  if (any) return any.some((member) => decide(member, search))
  return compare(left ?? null, operator!, right ?? null, search)
}
