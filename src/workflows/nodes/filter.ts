import Type from 'typebox'
import { ruleFaults } from '../conditions/faults.ts'
import { fillSides } from '../conditions/fill-sides.ts'
import { holdsInTurn } from '../conditions/holds.ts'
import { RuleConfig } from '../conditions/rule.ts'
import { shortenSides } from '../conditions/shorten-sides.ts'
import { action } from './node.ts'

export const filterNode = action({
  type: 'filter',
  title: 'Filter',
  description: 'Continues if the rule holds. Otherwise the branch ends here.',
  config: RuleConfig,
  output: Type.Object({ passed: Type.Boolean() }),
  pure: true,
  retries: false,
  faults: ruleFaults,
  prepare: fillSides,
  shown: shortenSides,
  async run(_turn, input) {
    const passed = await holdsInTurn(input)
    return passed ? { output: { passed } } : { output: { passed }, ends: true }
  },
})
