import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluck, pluckRows } from '../../../../../test/pluck.ts'
import { DomainError } from '../../../../platform/errors.ts'
import type { ActionNode, Outcome } from '../../../nodes/node.ts'
import { advance, type JobNext, type Step } from './advance.ts'
import { endingOf, type Result } from './ending.ts'
import { planGraph } from './plan.ts'
import type { Happened } from './settle.ts'
import type { NodeEntry, State, World } from './state.ts'

const now = new Date('2030-01-01T00:00:00Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)

/** `call` has effects and is tried again, `sum` is pure, and the input of `bad` cannot be made. */
const types: Record<string, ActionNode> = {
  call: nodeType({ retries: true, prepare: (_, { trigger }) => ({ trigger }) }),
  sum: nodeType({ pure: true }),
  bad: nodeType({
    prepare() {
      throw new DomainError('invalid', 'no such thing')
    },
  }),
}

function nodeType(more: Partial<ActionNode>): ActionNode {
  const words = { type: 'test', title: '', description: '', config: {} as never, output: {} }
  return { kind: 'action', ...words, retries: false, run: () => Promise.reject(), ...more }
}

/** The state before the first step, from nodes like `a:call` and paths like `t>a>b`. */
function stateOf(nodes: string, paths: string, entries: Record<string, Partial<NodeEntry>> = {}): State {
  const graphNodes = ['t:trigger', ...nodes.split(' ')].map((text) => {
    const [id = '', type = ''] = text.split(':')
    return { id, type, name: id, config: {}, position: { x: 0, y: 0 } }
  })
  const connections = paths.split(' ').flatMap((path) => {
    const ids = path.split('>')
    return ids
      .slice(1)
      .map((target, index) => ({ id: `${ids[index]}-${target}`, source: ids[index]!, target, branch: null }))
  })
  const blank = { branch: null, attempts: 1, interruptions: 0, runAt: null, startedAt: now, output: null, error: null }
  return {
    plan: planGraph({ nodes: graphNodes, connections }, (type) => types[type]),
    status: 'running',
    nodes: new Map(
      Object.entries(entries).map(([id, entry]) => [id, { ...blank, id, status: 'running', ...entry } as NodeEntry]),
    ),
    memory: { executionId: 'e', texts: new Map([['trigger', '"data"']]), triggers: new Set(['node_t']) },
    failure: null,
    underWay: new Map(),
    sizeBytes: 0,
  }
}

let ids = 0
const world: World = {
  now,
  newId: () => `id-${++ids}`,
  mayBegin: true,
  nodeRetryDelaysMs: [1000, 5000, 25_000],
  longDelayMs: 30_000,
}

const ended = (nodeId: string, result: Result): Happened => ({ nodeId, ending: endingOf(types.call!, result) })
const done = (nodeId: string, outcome: Outcome = { output: 1 }) => ended(nodeId, { outcome })
const failed = (nodeId: string, error = new Error('no answer')) => ended(nodeId, { error })
const refused = (nodeId: string) => failed(nodeId, new DomainError('invalid', 'refused'))
const delayed = (ms: number) => ({ status: 'waiting' as const, runAt: inMs(ms), output: '1' })

/**
 * A step in short: each node with an entry, `+` if it is to run, then the execution's status and what becomes of the
 * job.
 */
function tell({ state, begin, next }: Step): [string, string, JobNext] {
  const nodes = [...state.nodes].map(([id, { status }]) => {
    return `${id}${begin.some(({ nodeId }) => nodeId === id) ? '+' : ''} ${status}`
  })
  return [nodes.join(', '), state.status, next]
}

type Given = {
  nodes: string
  paths: string
  /** The endings before each step after the first; the test looks at the last step. */
  happened?: Happened[][]
  entries?: Record<string, Partial<NodeEntry>>
  mayBegin?: false
}

const rows: { promise: string; given: Given; gives: [string, string, JobNext] }[] = [
  {
    promise: 'the nodes after the trigger begin side by side',
    given: { nodes: 'a:call b:call c:call', paths: 't>a>c t>b>c' },
    gives: ['a+ running, b+ running', 'running', 'kept'],
  },
  {
    promise: 'a join waits for the last of its branches',
    given: { nodes: 'a:call b:call c:call', paths: 't>a>c t>b>c', happened: [[done('a')]] },
    gives: ['a completed, b running', 'running', 'kept'],
  },
  {
    promise: 'a join begins once the last of its branches is complete',
    given: { nodes: 'a:call b:call c:call', paths: 't>a>c t>b>c', happened: [[done('a')], [done('b')]] },
    gives: ['a completed, b completed, c+ running', 'running', 'kept'],
  },
  {
    promise: 'an execution ends with its last node',
    given: { nodes: 'a:call', paths: 't>a', happened: [[done('a')]] },
    gives: ['a completed', 'completed', 'ended'],
  },
  {
    promise: 'the nodes after the end of a branch are skipped',
    given: { nodes: 'a:sum b:call', paths: 't>a>b', happened: [[done('a', { output: 1, ends: true })]] },
    gives: ['a completed, b skipped', 'completed', 'ended'],
  },
  {
    promise: 'an error that may pass gives the job back until the next attempt',
    given: { nodes: 'a:call', paths: 't>a', happened: [[failed('a')]] },
    gives: ['a running', 'running', { runAt: inMs(1000), isParked: true }],
  },
  {
    promise: 'the fourth error of a node is final',
    given: { nodes: 'a:call', paths: 't>a', entries: { a: { attempts: 3, runAt: now } }, happened: [[failed('a')]] },
    gives: ['a failed', 'failed', 'ended'],
  },
  {
    promise: 'a refusal is final at once',
    given: { nodes: 'a:call', paths: 't>a', happened: [[refused('a')]] },
    gives: ['a failed', 'failed', 'ended'],
  },
  {
    promise: 'after a failure no node begins, and running nodes complete',
    given: { nodes: 'a:call b:call c:call', paths: 't>a t>b>c', happened: [[refused('a'), done('b')]] },
    gives: ['a failed, b completed', 'failed', 'ended'],
  },
  {
    promise: 'a node whose input cannot be made fails, and the nodes after it do not begin',
    given: { nodes: 'a:bad b:call', paths: 't>a t>b' },
    gives: ['a failed', 'failed', 'ended'],
  },
  {
    promise: 'a node of an unknown type fails',
    given: { nodes: 'a:gone', paths: 't>a' },
    gives: ['a failed', 'failed', 'ended'],
  },
  {
    promise: 'a short delay leaves the execution running',
    given: { nodes: 'a:sum', paths: 't>a', happened: [[done('a', { output: 1, waitUntil: inMs(30_000) })]] },
    gives: ['a running', 'running', { runAt: inMs(30_000), isParked: true }],
  },
  {
    promise: 'a long delay makes the execution wait',
    given: { nodes: 'a:sum', paths: 't>a', happened: [[done('a', { output: 1, waitUntil: inMs(30_001) })]] },
    gives: ['a waiting', 'waiting', { runAt: inMs(30_001), isParked: true }],
  },
  {
    promise: 'a delay that is over is complete, and the next node begins',
    given: { nodes: 'a:sum b:call', paths: 't>a>b', entries: { a: delayed(0) } },
    gives: ['a completed, b+ running', 'running', 'kept'],
  },
  {
    promise: 'a failure skips the delays that still wait',
    given: { nodes: 'a:sum b:call', paths: 't>a t>b', entries: { a: delayed(1) }, happened: [[refused('b')]] },
    gives: ['a skipped, b failed', 'failed', 'ended'],
  },
  {
    promise: 'a node that its process did not end begins again',
    given: { nodes: 'a:call', paths: 't>a', entries: { a: { interruptions: 3 } } },
    gives: ['a+ running', 'running', 'kept'],
  },
  {
    promise: 'a node that five processes in a row did not end fails',
    given: { nodes: 'a:call', paths: 't>a', entries: { a: { interruptions: 4 } } },
    gives: ['a failed', 'failed', 'ended'],
  },
  {
    promise: 'a process that may not begin nodes gives the job back for another one',
    given: { nodes: 'a:call', paths: 't>a', mayBegin: false },
    gives: ['', 'running', { runAt: inMs(1000), isParked: false }],
  },
  {
    promise: 'the job waits for the next attempt, also in a process that may not begin nodes',
    given: { nodes: 'a:call', paths: 't>a', mayBegin: false, entries: { a: { runAt: inMs(500) } } },
    gives: ['a running', 'running', { runAt: inMs(500), isParked: true }],
  },
]

for (const { promise, given, gives } of rows) {
  test(promise, () => {
    const { nodes, paths, entries, mayBegin = true, happened = [] } = given
    const here = { ...world, mayBegin }
    const first = advance(stateOf(nodes, paths, entries), [], here)
    const last = happened.reduce(({ state }, endings) => advance(state, endings, here), first)
    assert.deepEqual(tell(last), gives)
  })
}

test('a step does not change the state that it was given', () => {
  const before = advance(stateOf('a:call b:call', 't>a>b'), [], world).state
  const copy = structuredClone({ ...before, plan: null })
  advance(before, [done('a')], world)
  assert.deepEqual({ ...before, plan: null }, copy)
})

test('twenty branches run side by side, and the others begin as these end', () => {
  const names = Array.from({ length: 25 }, (_, index) => `n${index}`)
  const state = stateOf(names.map((name) => `${name}:call`).join(' '), names.map((name) => `t>${name}`).join(' '))
  const first = advance(state, [], world)
  assert.equal(first.begin.length, 20)
  const second = advance(first.state, [done('n3'), done('n7')], world)
  assert.deepEqual(pluck(second.begin, 'nodeId'), ['n20', 'n21'])
})

test('an attempt that ended with its process has a number, and does not count as one of the four', () => {
  const again = advance(stateOf('a:call', 't>a', { a: { attempts: 2, interruptions: 1 } }), [], world)
  assert.equal(again.begin[0]!.attempt, 4)
  const { attempts, interruptions } = advance(again.state, [failed('a')], world).state.nodes.get('a')!
  assert.deepEqual([attempts, interruptions], [2, 0])
})

test('a node with an effect is written with its input when it begins, and a pure node when it ends', () => {
  const first = advance(stateOf('a:call b:sum', 't>a t>b'), [], world)
  assert.deepEqual(pluckRows(first.writes, 'nodeId', 'status', 'input'), [['a', 'running', '{"trigger":"data"}']])
  const second = advance(first.state, [done('a'), done('b')], world)
  assert.deepEqual(pluckRows(second.writes, 'nodeId', 'status', 'input', 'output'), [
    ['a', 'completed', null, '1'],
    ['b', 'completed', '{}', '1'],
  ])
})

test('the size of a state is the size of its memory and of the inputs under way', () => {
  const first = advance(stateOf('a:call', 't>a'), [], world)
  assert.equal(first.state.sizeBytes, '{"trigger":"data"}'.length)
  assert.equal(advance(first.state, [done('a', { output: 'four' })], world).state.sizeBytes, '"four"'.length)
})

test('only the log shows an unforeseen error', () => {
  const { state } = advance(stateOf('a:call', 't>a', { a: { attempts: 3, runAt: now } }), [], world)
  const error = new TypeError('x is not a function')
  const step = advance(state, [failed('a', error)], world)
  assert.deepEqual(step.faults, [{ nodeId: 'a', error }])
  assert.match(step.state.failure!, /^Node a failed: Something went wrong in Posthorn/)
})
