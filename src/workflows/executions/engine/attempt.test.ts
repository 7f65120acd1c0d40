import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { slowTest } from '../../../../test/slow.ts'
import type { App } from '../../../context.ts'
import { contextOf } from '../../context/memory.ts'
import { codeNode } from '../../nodes/code.ts'
import type { ActionNode } from '../../nodes/node.ts'
import { closeSandbox } from '../../sandbox/sandbox.ts'
import { type Attempt, attemptNode } from './attempt.ts'
import type { Result } from './step/ending.ts'

const minute = 60_000
const context = contextOf({ executionId: 'e', texts: new Map(), triggers: new Set() }, new Set())
const tooLong = { error: new Error('It did not come to an end within 60 s.') }

/** A new team has one task at a time. */
function createTeam(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const app = {} as App
  t.after(() => closeSandbox(app))
  return (type: ActionNode, source = ''): Attempt & { result: Promise<Result> } => {
    const turn = {
      app,
      teamId: 'team',
      workflowId: 'w',
      executionId: 'e',
      depth: 1,
      id: 'i',
      nodeId: 'n',
      attempt: 1,
      startedAt: new Date(0),
      context,
      idempotencyKey: 'key',
    }
    const { promise, resolve } = Promise.withResolvers<Result>()
    return { ...attemptNode(type, turn, { source }, resolve), result: promise }
  }
}

test('a node that does not end fails after a minute', async (t) => {
  const begin = createTeam(t)
  const { result } = begin({ ...codeNode, run: () => new Promise(() => {}) })
  t.mock.timers.tick(minute)
  assert.deepEqual(await result, tooLong)
})

slowTest('code that waits for a thread longer than an attempt may last still runs', async (t) => {
  const begin = createTeam(t)
  const first = begin(codeNode, 'for (;;);')
  const second = begin(codeNode, 'return 1')
  t.mock.timers.tick(2 * minute)
  // The first one had a thread, so its minute is over.
  assert.deepEqual(await first.result, tooLong)
  assert.deepEqual(await second.result, { outcome: { output: 1 } })
})

test('code that is aborted while it waits for a thread ends at once', async (t) => {
  const begin = createTeam(t)
  begin(codeNode, 'for (;;);')
  const waiting = begin(codeNode, 'return 1')
  const reason = new Error('cancelled')
  waiting.abort(reason)
  assert.deepEqual(await waiting.result, { error: reason })
})
