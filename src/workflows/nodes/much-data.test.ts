import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { activateChain, errorOf, outputOf, runChain, runWorkflow, type Step } from '../fixtures/workflow.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()

const code = (source: string, id?: string): Step => ({ ...(id && { id }), type: 'code', config: { source } })
const find = (expression: string): Step => ({ type: 'transform_data', config: { mode: 'jsonpath', expression } })

/** Nearly the largest trigger data, which has two names. */
const triggerData = { n: 5, text: 'x'.repeat(1_000_000) }
/** Nodes with the largest outputs. */
const large = Array.from({ length: 20 }, (_, n) => code('return "y".repeat(250000)', `large${n}`))

slowTest('code and searches get the values that they name, however large the others are', async () => {
  const steps = [
    ...large,
    code('return [input.trigger.n, input.node_t.n, input.node_large3.length]', 'code'),
    { id: 'find', ...find('$.node_code[?@ == $.trigger.n]') },
  ]
  const execution = await runChain(posthorn, team, steps, triggerData)
  assert.deepEqual(outputOf(execution, 'code'), [5, 5, 250_000])
  assert.deepEqual(outputOf(execution, 'find'), [5, 5])
})

slowTest('code and searches that may read everything get the trigger once, by both of its names', async () => {
  const steps = [
    code('return "y".repeat(250000)', 'large'),
    code('return [Object.keys(input), input.trigger.n, input.node_t.n]', 'code'),
    { id: 'find', ...find('$..n') },
    { id: 'names', ...find('$[?@.n == 5].n') },
  ]
  const execution = await runChain(posthorn, team, steps, triggerData)
  assert.deepEqual(outputOf(execution, 'code'), [['trigger', 'vars', 'node_large', 'node_t'], 5, 5])
  assert.deepEqual(outputOf(execution, 'find'), [5, 5])
  assert.deepEqual(outputOf(execution, 'names'), [5, 5])
})

test('an empty trigger and outputs that are null have their names', async () => {
  const active = await activateChain(team, [
    code('return null', 'a'),
    code('return null', 'b'),
    code('return input', 'c'),
  ])
  const execution = await runWorkflow(posthorn, team, active.body.id, {})
  assert.deepEqual(outputOf(execution, 'c'), { trigger: {}, vars: {}, node_t: {}, node_a: null, node_b: null })
})

slowTest('an input that is too large fails the node, and the error says how to name less', async () => {
  const search = await runChain(posthorn, team, [...large, { id: 'last', ...find('$..n') }], triggerData)
  assert.match(errorOf(search, 'last'), /more than 4 MiB as JSON\. Name only what it needs, as \$\.node_a\.$/)
  const twice = large.map((step) => ({ ...step, id: `${step.id}b` }))
  const source = await runChain(posthorn, team, [...large, ...twice, code('return Object.keys(input)', 'last')])
  assert.match(errorOf(source, 'last'), /more than 8 MiB as JSON\. Name only what it needs, as input\.node_a\.$/)
})
