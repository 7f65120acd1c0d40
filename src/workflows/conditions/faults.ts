import type { ConfigFault, Draft } from '../nodes/node.ts'
import { patternChecker } from '../patterns/pattern.ts'
import { hasPlaceholder, textOf } from '../placeholders/fill.ts'
import type { Rule } from './rule.ts'

/** The comparisons of all groups together. Each run makes all of them. */
const comparisonsMax = 100

/** Finds the faults of rules that their schema cannot express. */
export function ruleFaults(rule: Draft<Rule>): ConfigFault[] {
  let comparisons = 0
  const patternFault = patternChecker()
  const walk = (rule: Draft<Rule> | undefined, path: string): ConfigFault[] => {
    if (rule === undefined) return []
    const groups = (['all', 'any'] as const).filter((name) => name in rule)
    const isComparison = 'left' in rule || 'operator' in rule || 'right' in rule
    if (groups.length === 0) {
      // There may be thousands past the limit.
      if (++comparisons > comparisonsMax) return []
      return comparisonFaults(rule, patternFault).map((fault) => ({ ...fault, path: path + fault.path }))
    }
    const inside = groups.flatMap((name) =>
      (rule[name] ?? []).flatMap((member, index) => walk(member, `${path}${name}[${index}].`)),
    )
    if (groups.length === 1 && !isComparison) return inside
    const message = 'must be one of {left, operator, right}, {all} or {any}, and not two at once'
    return [{ path: path.replace(/\.$/, ''), message }, ...inside]
  }
  const faults = walk(rule, '')
  if (comparisons <= comparisonsMax) return faults
  return [{ path: '', message: `compares more than ${comparisonsMax} times` }, ...faults]
}

function comparisonFaults(rule: Draft<Rule>, patternFault: (pattern: string) => string | null): ConfigFault[] {
  const { operator, right } = rule
  const faults: ConfigFault[] = []
  if (!('left' in rule)) faults.push({ path: 'left', message: 'is required, or a list of rules in all or any' })
  if (!('operator' in rule)) faults.push({ path: 'operator', message: 'is required' })
  if (operator === undefined || operator === 'exists' || operator === 'not_exists') return faults
  if (!('right' in rule)) faults.push({ path: 'right', message: `is required with ${operator}` })
  if (operator !== 'matches' || right === undefined || (typeof right === 'string' && hasPlaceholder(right)))
    return faults
  const message = patternFault(textOf(right))
  return message === null ? faults : [...faults, { path: 'right', message }]
}
