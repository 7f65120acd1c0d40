import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from './fixtures/command-line.ts'
import { help } from './help.ts'

const { run } = await createCommandLine()

const names = [...help.matchAll(/^ {2}posthorn ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, name]) => name!)

test('a wrong option is named first, and then the help of its command follows', async () => {
  assert.ok(names.length > 20)
  for (const name of names.filter((each) => each !== 'serve')) {
    const { code, stdout, stderr } = await run(...name.split(' '), '--colour')
    const [fault, empty, usage] = stderr.split('\n')
    assert.match(fault!, /^The command has no option --colour; it has (none|--\w.*)\.$/)
    assert.deepEqual([code, stdout, empty], [2, '', ''])
    assert.ok(usage!.startsWith(`Usage: posthorn ${name}`), usage)
  }
})

test('each command’s help names the exit codes', async () => {
  for (const name of names) {
    const { code, stdout } = await run(...name.split(' '), '--help')
    assert.deepEqual([code, stdout.split('\n').at(-2)], [0, 'Exit codes: 0 done, 1 failed, 2 called wrongly.'])
  }
  const { stdout } = await run('contacts', 'import', '--help')
  assert.match(stdout, /rejected\.csv with the reason; the exit code is 0 all the same/)
})

test('the first word of some commands alone lists them', async () => {
  const alone = await run('team')
  assert.deepEqual([alone.code, alone.stdout], [2, ''])
  const listed =
    /^ {2}posthorn team list .*\n {2}posthorn team create .*\n {2}posthorn team set-plan .*\n {2}posthorn team set-limits /m
  assert.match(alone.stderr, /^posthorn team needs one of its commands\.\n/)
  assert.match(alone.stderr, listed)
  const misspelt = await run('team', 'lst')
  assert.match(misspelt.stderr, /^posthorn has no command "team lst"\.\n/)
  assert.match(misspelt.stderr, listed)
  for (const args of [
    ['team', '--help'],
    ['help', 'team'],
  ]) {
    const asked = await run(...args)
    assert.equal(asked.code, 0)
    assert.match(asked.stdout, listed)
    assert.doesNotMatch(asked.stdout, /posthorn user/)
  }
})

test('an unknown command or option is named', async () => {
  for (const [fault, ...args] of [
    ['posthorn has no command "frobnicate".', 'frobnicate'],
    ['posthorn has no option --colour.', '--colour'],
  ] as const) {
    const { code, stderr } = await run(...args)
    assert.deepEqual([code, stderr], [2, `${fault}\n\nSee: posthorn --help\n`])
  }
})

test('a program that calls a command wrongly with --json gets the fault as JSON', async () => {
  const { code, stdout, stderr } = await run('nonsense', '--json')
  assert.deepEqual([code, stdout], [2, ''])
  const error = { status: null, name: 'usage', message: 'posthorn has no command "nonsense".', requestId: null }
  assert.deepEqual(JSON.parse(stderr), { error })
})
