import { createSearch, type Search } from '../patterns/pattern.ts'
import { compare } from './compare.ts'
import type { Rule } from './rule.ts'

/** Decides a rule whose sides are filled. Throws `invalid` if a pattern is bad or too much work. */
export function holds(rule: Rule): boolean {
  return decide(rule, createSearch())
}

function decide({ left, operator, right, all, any }: Rule, search: Search): boolean {
  if (all) return all.every((member) => decide(member, search))
  if (any) return any.some((member) => decide(member, search))
  return compare(left ?? null, operator!, right ?? null, search)
}
