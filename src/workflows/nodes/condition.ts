import Type from 'typebox'
import { ruleFaults } from '../conditions/faults.ts'
import { fillSides } from '../conditions/fill-sides.ts'
import { holdsInTurn } from '../conditions/holds.ts'
import { RuleConfig } from '../conditions/rule.ts'
import { shortenSides } from '../conditions/shorten-sides.ts'
import { action } from './node.ts'

export const conditionNode = action({
  type: 'condition',
  title: 'Condition',
  description: 'Continues on one of two paths: `true` if the rule holds, `false` if it does not.',
  config: RuleConfig,
  output: Type.Object({ result: Type.Boolean() }),
  branches: true,
  pure: true,
  retries: false,
  faults: ruleFaults,
  prepare: fillSides,
  shown: shortenSides,
  async run(_turn, input) {
    const result = await holdsInTurn(input)
    return { output: { result }, branch: result ? 'true' : 'false' }
  },
})
