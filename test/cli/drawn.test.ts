import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagsOf } from '../../cli/src/command.ts'
import { commandNames, commandOf } from '../../cli/src/commands.ts'
import { commonFlags } from '../../cli/src/flags.ts'
import { nouns } from '../../cli/src/nouns.ts'
import { operations } from '../../cli/src/operations.ts'
import { verbNames, verbOf } from '../../cli/src/verbs.ts'
import { newCommandLine } from './command-line.ts'

const { team, run, runIn, json } = await newCommandLine()

test('a command of one operation has its name once, and none is hidden by one that is made by hand', () => {
  const names = commandNames()
  assert.equal(new Set(names).size, names.length)
  assert.ok(verbNames.length > 100)
})

test('each command has a help with all its flags, none of which hides a flag of every command', async () => {
  for (const name of commandNames()) {
    const command = await commandOf(name)
    const own = Object.keys(command.flags ?? {})
    assert.deepEqual(
      own.filter((flag) => flag in commonFlags || !/^[a-z-]+$/.test(flag)),
      [],
      name,
    )
    const { code, stdout } = await run(...name.split(' '), '--help')
    assert.equal(code, 0)
    assert.ok(stdout.startsWith(`Usage: posthorn ${name}`), name)
    for (const flag of Object.keys(flagsOf(command))) assert.ok(stdout.includes(`  --${flag}`), `${name} --${flag}`)
    assert.match(
      stdout,
      /\nExit codes: 0 done, 1 refused, 2 called wrongly, 3 no good key, 4 out of reach, 130 interrupted\.\n$/,
    )
  }
})

test('each noun that is listed has commands, and its columns are fields of its rows', async () => {
  for (const [noun, { columns = [] }] of Object.entries(nouns)) {
    assert.ok(
      commandNames().some((name) => name.startsWith(`${noun} `)),
      noun,
    )
    const list = commandNames().find((name) => name === `${noun} list`)
    if (!list || columns.length === 0 || noun.includes('executions') || noun.includes('deliveries')) continue
    const { path } = operations[verbOf(list).does]
    const route = (await team.api.get('/openapi.json')).body.paths[path].get.responses['200'].content[
      'application/json'
    ]
    const [row] = route.example.data
    assert.deepEqual(
      columns.filter((column) => !(column in row)),
      [],
      noun,
    )
  }
})

test('numbers that a double does not hold keep their digits, in flags, in --data and in answers', async () => {
  const big = '{"n":12345678901234567890,"few":0.12345678901234567891}'
  const { id } = await json('contacts', 'add', 'digits@example.test', '--properties', big)
  const shown = await run('contacts', 'get', id, '--json')
  assert.match(shown.stdout, /"n": 12345678901234567890,\s+"few": 0\.12345678901234567891/)
  assert.match((await run('contacts', 'get', id)).stdout, /properties\.n: 12345678901234567890\n/)
  const changed = await run('api', 'PATCH', `/v1/contacts/${id}`, '--data', '{"properties":{"m":98765432109876543210}}')
  assert.match(changed.stdout, /98765432109876543210/)
  const { text } = await team.api.get(`/v1/contacts/${id}`)
  assert.match(text, /98765432109876543210/)
  const refused = await run('contacts', 'add', 'no@example.test', '--data', '12345678901234567890')
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /^--data must be a JSON object/)
  await run('contacts', 'delete', id, '--yes')
})

test('a thing is created by its name, found by it, changed by flags, and listed page by page', async () => {
  const { id } = await json('segments', 'create', 'Customers')
  assert.equal((await json('segments', 'get', 'customers')).id, id)
  assert.equal((await json('segments', 'update', 'Customers', '--name', 'Buyers')).name, 'Buyers')
  await json('contacts', 'add', 'ada@example.test', '--first-name', 'Ada', '--properties', '{"size": 3}')
  const changed = await json('contacts', 'update', 'ADA@example.test', '--first-name', '', '--unsubscribed')
  assert.deepEqual([changed.firstName, changed.unsubscribed, changed.properties], [null, true, { size: 3 }])
  for (const name of ['bob', 'cy']) await json('contacts', 'create', `${name}@example.test`)
  const page = await json('contacts', 'list', '--limit', '2')
  assert.deepEqual([page.data.length, page.hasMore], [2, true])
  const all = await json('contacts', 'list', '--all')
  assert.deepEqual([all.data.length, all.cursor, all.hasMore], [3, null, false])
  const added = await json('segments', 'add-contacts', 'Buyers', ...all.data.map((row: { id: string }) => row.id))
  assert.equal(added.added, 3)
  assert.equal((await json('segments', 'remove-contact', 'Buyers', 'bob@example.test')).deleted, true)
  const missing = await run('segments', 'get', 'Customers')
  assert.deepEqual([missing.code, missing.stderr], [1, 'not_found: There is no "Customers" among segments.\n'])
  await json('topics', 'create', 'News')
  await json('topics', 'create', 'News')
  const both = await run('topics', 'get', 'News')
  assert.equal(both.code, 2)
  assert.match(both.stderr, /^2 topics are called "News"\. Give an id: [0-9a-f-]{36}, [0-9a-f-]{36}\n/)
})

test('fields are checked before the server is asked, with the flag that is wrong', async () => {
  for (const [fault, ...args] of [
    ['posthorn webhooks create: ENDPOINT-URL and --events must be given.', 'webhooks', 'create'],
    ['posthorn segments get: NAME|ID must be given.', 'segments', 'get'],
    ['posthorn segments get takes NAME|ID; there is also "b".', 'segments', 'get', 'a', 'b'],
    [
      '--status must be scheduled, sent, delayed, delivered, bounced, complained or cancelled; it was "x".',
      'emails',
      'list',
      '--status',
      'x',
    ],
    ['--limit must be a number; it was "many".', 'emails', 'list', '--limit', 'many'],
    ['--limit needs a value.', 'emails', 'list', '--limit'],
    ['--limit is there twice.', 'emails', 'list', '--limit', '1', '--limit=2'],
    ['--unsubscribed is true or false; it was "x".', 'contacts', 'list', '--unsubscribed=x'],
    ['posthorn has no command "emails frob".', 'emails', 'frob'],
    ['posthorn emails needs one of its commands.', 'emails'],
  ] as [string, ...string[]][]) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout, stderr.split('\n')[0]], [2, '', fault])
  }
  const { code, stderr } = await run('segments', 'create', 'x', '--data', '{', '--json')
  assert.deepEqual([code, JSON.parse(stderr).error.name], [2, 'usage'])
})

test('deleting, and sending to many, asks a person, takes --yes, and without a terminal is refused', async () => {
  await json('segments', 'create', 'Short-lived')
  const refused = await run('segments', 'delete', 'Short-lived')
  assert.equal(refused.code, 2)
  assert.match(
    refused.stderr,
    /^This asks first, and there is no terminal to ask on\. Add --yes: Delete a segment: Short-lived\?\n/,
  )
  const declined = await runIn({ answers: ['n'] }, 'segments', 'delete', 'Short-lived')
  assert.deepEqual(
    [declined.code, declined.stderr],
    [1, 'Delete a segment: Short-lived? [y/N] not_confirmed: Nothing was done.\n'],
  )
  const accepted = await runIn({ answers: ['y'] }, 'segments', 'delete', 'Short-lived')
  assert.equal(accepted.code, 0, accepted.stderr)
  for (const command of [
    ['broadcasts', 'send', 'x'],
    ['sms', 'send-batch', '--messages', '[]'],
    ['inbox', 'clear'],
  ])
    assert.equal((await run(...command)).code, 2)
  assert.deepEqual(await json('inbox', 'clear', '--yes'), { deleted: 0 })
})

test('a person who sends a broadcast is told how many it reaches', async () => {
  await json('segments', 'create', 'Readers')
  await json('contacts', 'add', 'dee@example.test')
  await json('segments', 'add-contacts', 'Readers', 'dee@example.test')
  const flags = ['--from', `a@${team.domain}`, '--segment-id', 'Readers', '--subject', 'S', '--text', 'T']
  await json('broadcasts', 'create', 'Spring', ...flags)
  const { code, stderr } = await runIn({ answers: ['n'] }, 'broadcasts', 'send', 'Spring')
  assert.deepEqual([code, /^Send a broadcast: Spring, to 1 recipients\? /.test(stderr)], [1, true], stderr)
  assert.equal((await json('broadcasts', 'send', 'Spring', '--yes')).name, 'Spring')
})

test('the key that keys create makes is shown, once', async () => {
  const { key } = await json('keys', 'create', 'CI', '--permission', 'sending_access')
  const { stdout } = await runIn({ env: { POSTHORN_API_KEY: key } }, 'limits', '--json')
  assert.equal(JSON.parse(stdout).tier.plan, 'enterprise')
  const { stdout: shown } = await run('keys', 'get', 'CI')
  assert.ok(!shown.includes(key) && shown.includes('name: CI\n'))
})
