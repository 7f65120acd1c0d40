import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newCommandLine } from './command-line.ts'

const line = await newCommandLine()
const { team, folder, run, runIn, json } = line

test('an email is sent with all that its flags say, and is listed with its events', async () => {
  const sent = await json(
    ...['send', '--from', `Shop <a@${team.domain}>`, '--to', 'ada@example.test', '--to', 'bob@example.test'],
    ...[
      '--cc',
      'cy@example.test',
      '--reply-to',
      'r@example.test',
      '--subject',
      'Hello',
      '--text',
      'Hi',
      '--tag',
      'kind=first',
    ],
    ...['--attach', 'LICENSE', '--idempotency-key', 'once'],
  )
  assert.deepEqual(
    [sent.to, sent.cc, sent.tags],
    [['ada@example.test', 'bob@example.test'], ['cy@example.test'], { kind: 'first' }],
  )
  const { data } = await json('emails', 'list', '--limit', '1')
  assert.equal(data[0].id, sent.id)
  const { attachments, replyTo } = (await team.api.get(`/v1/emails/${sent.id}/message`)).body
  assert.deepEqual([attachments[0].filename, replyTo], ['LICENSE', 'r@example.test'])
  assert.equal((await json('emails', 'events', sent.id))[0].type, 'delivered')
})

test('the text of an email comes from a pipe', async () => {
  const flags = ['--from', `a@${team.domain}`, '--to', 'ada@example.test', '--subject', 'Piped', '--json']
  const { stdout } = await runIn({ stdin: 'From a pipe' }, 'send', ...flags)
  assert.equal(JSON.parse(stdout).text, 'From a pipe')
  const empty = await run('send', ...flags.slice(0, -1))
  assert.deepEqual([empty.code, /--html-file or --template, or by a pipe/.test(empty.stderr)], [2, true])
})

test('a refusal names what to do and the request, for people and for programs', async () => {
  const flags = ['--from', 'a@shop.com', '--to', 'ada@example.test', '--subject', 'S', '--text', 'T']
  const { code, stdout, stderr } = await run('send', ...flags)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(
    stderr,
    /^domain_not_verified: shop\.com is not verified\. Run: posthorn domains verify shop\.com \(request [0-9a-f-]{36}\)\n$/,
  )
  const told = await run('send', ...flags, '--json')
  const { error } = JSON.parse(told.stderr)
  assert.deepEqual(Object.keys(error), ['status', 'name', 'message', 'requestId'])
  assert.deepEqual([told.code, told.stdout, error.status, error.name], [1, '', 403, 'domain_not_verified'])
})

test('texts of others cannot steer a terminal', async () => {
  const subject = 'Red \u009b31m'
  await run(
    'send',
    '--from',
    `a@${team.domain}`,
    '--to',
    'ada@example.test',
    '--subject',
    subject,
    '--text',
    '\u001b]0;x\u0007',
  )
  const { stdout: table } = await run('emails', 'list', '--limit', '1')
  const { stdout: listed } = await run('emails', 'list', '--limit', '1', '--json')
  const [{ id, subject: read }] = JSON.parse(listed).data
  const { stdout: one } = await run('emails', 'get', id)
  assert.deepEqual([read, /Red \\u009b31m/.test(table), /\\u001b\]0;x/.test(one)], [subject, true, true])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  for (const text of [table, listed, one]) assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('a key that is not good ends with 3, and a wrong call with 2', async () => {
  for (const id of ['', '.', '..']) assert.equal((await run('inbox', 'delete', id, '--yes')).code, 2)
  const bad = await runIn({ env: {} }, 'emails', 'list', '--key', 'ph_unknown')
  assert.deepEqual([bad.code, bad.stderr.includes('ph_unknown')], [3, false])
  const none = await runIn({ env: {} }, 'emails', 'list', '--json')
  assert.deepEqual([none.code, JSON.parse(none.stderr).error.status], [3, null])
  const wrong = await run('emails', 'list', '--colour')
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(
    wrong.stderr,
    /^posthorn emails list has no option --colour; it has --limit, .*--json\.\n\nUsage: posthorn emails list/,
  )
})

test('a key in the place of something else is not printed', async () => {
  for (const args of [
    ['emails', 'list', '--limit', team.key],
    ['emails', 'get', team.key],
    [team.key],
    ['--url', team.key, 'whoami'],
  ]) {
    const { code, stdout, stderr } = await run(...args)
    assert.notEqual(code, 0)
    assert.ok(!(stdout + stderr).includes(team.key), args.join(' '))
  }
})

test('flags in front of a command, and words behind two dashes, are read as they are meant', async () => {
  await run('contacts', 'add', '--', '-x@example.test')
  const { code, stdout } = await run('--json', 'contacts', 'get', '--', '-x@example.test')
  assert.deepEqual([code, JSON.parse(stdout).email], [0, '-x@example.test'])
  const unknown = await run('contacts', 'get', '--', '--json')
  assert.match(unknown.stderr, /^[a-z_]+: /)
  assert.match((await run('contacts', 'get', '--', '--help')).stderr, /--help/)
})

test('all rows are at least one, and an error is JSON where --json=true asks for it', async () => {
  const { code, stderr } = await run('emails', 'list', '--all', '--limit', '0', '--json=true')
  assert.deepEqual([code, JSON.parse(stderr).error.name], [2, 'usage'])
  assert.match(JSON.parse(stderr).error.message, /--limit must be a whole number of at least 1; it was 0/)
})

test('a list that ends at --limit says that there is more', async () => {
  for (const name of ['A', 'B', 'C']) await run('segments', 'create', name)
  const listed = async (limit: string) =>
    JSON.parse((await run('segments', 'list', '--all', '--limit', limit, '--json')).stdout)
  const [two, three] = [await listed('2'), await listed('3')]
  assert.deepEqual([two.data.length, two.hasMore, three.data.length, three.hasMore], [2, true, 3, false])
})

test('a byte order mark in front of a file or a pipe is no part of it', async () => {
  const path = join(folder, 'segment.json')
  writeFileSync(path, '\uFEFF{"name":"From a file"}')
  assert.equal((await run('segments', 'create', '--data', `@${path}`)).code, 0)
  assert.equal((await runIn({ stdin: '\uFEFF{"name":"From a pipe"}' }, 'segments', 'create', '--data', '@-')).code, 0)
})
