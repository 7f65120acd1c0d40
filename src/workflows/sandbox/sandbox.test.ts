// needs: alone
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { createSandbox } from './sandbox.ts'
import type { Answer } from './task.ts'

const never = new AbortController().signal
const sandbox = createSandbox()
after(() => sandbox.close())

function run(source: string, input: unknown = {}, teamId = 'team'): Promise<Answer> {
  return sandbox.run(teamId, () => ({ kind: 'code', source, input: JSON.stringify(input) }), never)
}

async function outputOf(source: string, input: unknown = {}): Promise<unknown> {
  const answer = await run(source, input)
  assert('output' in answer, JSON.stringify(answer))
  return JSON.parse(answer.output)
}

async function faultOf(source: string, input: unknown = {}): Promise<string> {
  const answer = await run(source, input)
  assert('fault' in answer, JSON.stringify(answer))
  return answer.fault
}

test('code reads its input, and its result is the output', async () => {
  const input = { trigger: { n: 2 }, vars: { a: 'ä\u{1f600}' }, node_x: [1] }
  assert.deepEqual(await outputOf('return [input.trigger.n + 1, input.vars.a, input.node_x]', input), [
    ...[3, 'ä\u{1f600}', [1]],
  ])
  assert.deepEqual(await outputOf('return input', input), input)
})

test('code without a result returns null, and values without a JSON form are left out', async () => {
  assert.equal(await outputOf('// nothing'), null)
  assert.deepEqual(await outputOf('return {f() {}, u: undefined, n: NaN, d: new Date(0)}'), {
    n: null,
    d: '1970-01-01T00:00:00.000Z',
  })
})

test('promises are awaited', async () => {
  assert.equal(await outputOf('return await Promise.resolve(1) + await Promise.resolve(2)'), 3)
  assert.equal(await outputOf('return new Promise((resolve) => Promise.resolve().then(() => resolve(4)))'), 4)
  assert.match(await faultOf('return new Promise(() => {})'), /a promise that never settles/)
})

test('a result that has no JSON form is an error that says so', async () => {
  assert.match(await faultOf('const a = {}; a.a = a; return a'), /circular/)
  assert.match(await faultOf('return () => 1'), /returned a function/)
  assert.match(await faultOf('return Symbol()'), /returned a symbol/)
  assert.match(await faultOf('let a = []; for (let i = 0; i < 101; i++) a = [a]; return a'), /deeper than 100/)
  assert.match(await faultOf('return "x".repeat(262143)'), /262145 characters/)
  assert.equal(await outputOf('return "x".repeat(262142)'), 'x'.repeat(262142))
})

test('an error has its message and the line of the source', async () => {
  assert.equal(
    await faultOf('const a = 1\n\nreturn a.b.c'),
    "TypeError: cannot read property 'c' of undefined (line 3)",
  )
  assert.equal(await faultOf('\nthrow new RangeError("too far")'), 'RangeError: too far (line 2)')
  assert.match(await faultOf('return 1 +\n+'), /^SyntaxError: .*\(line \d\)$/)
  assert.equal(await faultOf('throw "just a text"'), 'just a text')
  assert.equal(await faultOf('throw { get message() { throw 1 } }'), 'an error that cannot be shown')
  assert.equal(await faultOf('throw null'), 'null')
  assert.equal((await faultOf('throw new Error("x".repeat(1e6))')).length, 'Error:  (line 1)'.length + 2000)
})

slowTest('an error outside of the function is shortened like any other', async () => {
  const thrown = [
    'new Error("x".repeat(8e6))',
    '"x".repeat(8e6)',
    '{ name: "x".repeat(8e6), message: "x".repeat(8e6) }',
  ]
  for (const value of thrown) {
    const { length } = await faultOf(`}); throw ${value}; (async function () {`)
    assert(length < 5000, `${length} characters`)
  }
})

slowTest('endless code is ended', async () => {
  const endless = [
    'for (;;);',
    'try { for (;;); } finally { return 1 }',
    'const f = async () => { for (;;) await null }; await f()',
    'return /(a+)+$/.test("a".repeat(50) + "b")',
    'throw new Proxy({}, { get() { for (;;); } })',
    'return { toJSON() { for (;;); } }',
  ]
  for (const source of endless) assert.equal(await faultOf(source), 'The code ran longer than 1 s.', source)
})

slowTest('code that the machine cannot interrupt is ended with its thread, and the next code runs', async () => {
  assert.equal(await faultOf('const a = []; a.length = 4e9; a.sort()'), 'It took longer than 1 s.')
  assert.equal(await outputOf('return 1'), 1)
})

/** Runs code again that a busy machine ended by its time, before it reached another bound. */
async function faultInTime(source: string): Promise<string> {
  const fault = await faultOf(source)
  return / longer than 1 s\.$/.test(fault) && triesLeft-- > 0 ? faultInTime(source) : fault
}
let triesLeft = 100

slowTest('code has at most 32 MiB', async () => {
  const tooLarge = [
    'const a = []; for (;;) a.push("x".repeat(100000) + a.length)',
    'const a = []; for (;;) a.push({ list: Array(1000).fill({}) })',
    'return new Uint8Array(33e6).length',
    'return "x".repeat(4e7)',
    'const a = []; const f = () => Promise.resolve(a.push(Array(1000).fill(1))).then(f); return f()',
    'let s = "x"; const all = []; for (;;) { s += s.length; all.push(s + all.length) }',
  ]
  for (const source of tooLarge)
    assert.equal(await faultInTime(source), 'The code needed more than 32 MiB of memory.', source)
  assert.equal(await outputOf('return new Uint8Array(20e6).length'), 20e6)
})

test('an endless recursion is an error of the code', async () => {
  const deep = [
    'function f() { return f() + 1 }; return f()',
    'return JSON.parse("[".repeat(100000))',
    'return eval("(".repeat(50000))',
    'const f = () => [1, 2].sort(f); return f()',
  ]
  for (const source of deep) assert.match(await faultOf(source), /stack overflow/, source)
})

test('code cannot reach the host', async () => {
  const names = [
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'console',
    'WebAssembly',
    'Worker',
    'postMessage',
  ]
  assert.deepEqual(await outputOf(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`), [])
  assert.equal(await outputOf('return this.constructor.constructor("return typeof process")()'), 'undefined')
  assert.equal(await outputOf('return (async () => {}).constructor("return typeof require")()'), 'undefined')
  assert.match(await faultOf('return import("node:fs")'), /could not load module/)
  assert.match(await faultOf('return import("/etc/passwd")'), /could not load module/)
  assert.equal(await outputOf('}); (async function () { return typeof process'), 'undefined')
})

test('code that changes built-in objects does not change the harness', async () => {
  const tricks = [
    'JSON.stringify = () => "{}"; JSON.parse = () => 1; return { a: 1 }',
    'String.prototype.slice = () => { throw 1 }; Reflect.apply = null; return { a: 1 }',
    'Object.prototype.output = 2; Object.prototype.error = { message: "forged" }; return { a: 1 }',
    'Promise.prototype.then = () => {}; return { a: 1 }',
  ]
  for (const source of tricks) assert.deepEqual(await outputOf(source), { a: 1 }, source)
  assert.equal(await faultOf('Object.prototype.toJSON = () => 1; throw new Error("x")'), 'Error: x (line 1)')
})

test('a run sees no state of an earlier run', async () => {
  const leave = 'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = null; input.left = 1; return 1'
  const look = 'return [typeof left, typeof {}.left, typeof [].map, input.left ?? null]'
  for (let round = 0; round < 120; round++) {
    await outputOf(leave)
    assert.deepEqual(await outputOf(look), ['undefined', 'undefined', 'function', null])
  }
})

test('a member called __proto__ stays a member', async () => {
  const input = JSON.parse('{"vars": {"__proto__": {"a": 1}}}')
  assert.deepEqual(await outputOf('return [Object.keys(input.vars), input.vars.a ?? null]', input), [
    ['__proto__'],
    null,
  ])
})
