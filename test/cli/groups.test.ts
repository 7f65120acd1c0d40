import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zoneText } from '../../cli/src/commands/domains.ts'
import { isOverHttp } from '../../cli/src/run.ts'
import { commands } from '../../src/cli/commands.ts'
import { localNames, newCommandLine } from './command-line.ts'

const { team, folder, run, runIn, json } = await newCommandLine()

test('a domain is added, shown as a zone file, verified and deleted by its name', async () => {
  await json('domains', 'add', 'cli.example')
  const { stdout } = await run('domains', 'show', 'cli.example')
  assert.match(stdout, /^; cli\.example is not_started\n; pending\n[\w.-]+\. 3600 IN TXT "v=DKIM1; .{240,}" ".+"\n/)
  assert.match(stdout, /^send\.cli\.example\. 3600 IN MX 10 \S+\.$/m)
  assert.equal((await json('domains', 'verify', 'cli.example', '--wait')).status, 'verified')
  assert.equal((await json('domains', 'show', 'cli.example')).status, 'verified')
  assert.equal((await json('domains', 'delete', 'cli.example', '--yes')).deleted, true)
})

test('a record of a zone file is quoted, in strings of 255 octets, and without a value a comment', () => {
  const record = { name: 'a.example', priority: null, status: 'pending' } as const
  const text = zoneText({ name: 'a.example', status: 'pending' }, [
    { ...record, type: 'txt', value: `"\\${'x'.repeat(300)}` },
    { ...record, type: 'cname', value: 'b.example' },
    { ...record, type: 'mx', value: '', note: 'Ask your provider.' },
  ])
  assert.deepEqual(text.split('\n'), [
    '; a.example is pending',
    '; pending',
    `a.example. 3600 IN TXT "\\"\\\\${'x'.repeat(253)}" "${'x'.repeat(47)}"`,
    '; pending',
    'a.example. 3600 IN CNAME b.example.',
    '; pending',
    '; a.example. 3600 IN MX Ask your provider.',
    '',
  ])
})

test('a captured message is shown as text, as HTML and as it was sent', async () => {
  const flags = ['--from', `a@${team.domain}`, '--to', 'ada@example.test', '--subject', 'Inside']
  await json('send', ...flags, '--text', 'The text', '--html', '<p>The HTML</p>')
  const { data } = await json('inbox', 'list')
  const { stdout: text } = await run('inbox', 'show', data[0].id)
  assert.match(text, /^id: [0-9a-f-]+\nfrom: .*\nto: ada@example\.test\nsubject: Inside\n.*\n\nThe text\n$/s)
  assert.equal((await run('inbox', 'show', data[0].id, '--html')).stdout, '<p>The HTML</p>\n')
  const { stdout: raw } = await run('inbox', 'show', data[0].id, '--raw')
  assert.match(raw, /^DKIM-Signature: .*\r\nSubject: Inside\r\n/s)
  assert.equal((await json('inbox', 'show', data[0].id)).text, 'The text')
})

test('a CSV file is imported into a segment, with counts and a file of the rejected rows', async () => {
  const file = join(folder, 'people.csv')
  writeFileSync(file, 'email;First name\nada@example.test;Ada\nnobody;Bob\ncy@example.test;Cy;x\n')
  await json('segments', 'create', 'Imported')
  const counts = await json('contacts', 'import', file, '--segment', 'Imported')
  assert.deepEqual(counts, { rows: 3, created: 1, updated: 0, rejected: 2 })
  assert.match(readFileSync(join(folder, 'people.rejected.csv'), 'utf8'), /^email;First name;reason\n?\r?\n?/)
  assert.equal((await json('segments', 'get', 'Imported')).contactCount, 1)
  writeFileSync(file, 'email;First name\nada@example.test;Ann\n')
  assert.equal((await json('contacts', 'import', file)).updated, 1)
  writeFileSync(file, 'email,city,first_name,Shoe size\nada@example.test,Sydney,Ann,38\n')
  const { stdout } = await run('contacts', 'import', file)
  assert.equal(stdout, '1 row: 0 created, 0 updated, 1 unchanged, 0 rejected.\n')
  const { stderr } = await run('contacts', 'import', file, '--json')
  assert.equal(stderr, 'Columns that contacts do not have were left out: city, Shoe size.\n')
  writeFileSync(file, 'name\nAda\n')
  const wrong = await run('contacts', 'import', file)
  assert.deepEqual([wrong.code, /^not_csv: .*, line 1: there is no column "email"/.test(wrong.stderr)], [1, true])
  assert.equal((await run('contacts', 'import', join(folder, 'none.csv'))).code, 2)
})

test('any path of the API is requested, with a body as text, from a file or from a pipe, and deleting or sending to many asks', async () => {
  const { id } = await json('api', 'POST', '/v1/segments', '--data', '{"name": "By hand"}')
  assert.equal((await json('api', 'get', `/v1/segments/${id}`)).name, 'By hand')
  const { stdout } = await runIn({ stdin: '{"name": "Piped"}' }, 'api', 'PATCH', `/v1/segments/${id}`, '--data', '@-')
  assert.equal(JSON.parse(stdout).name, 'Piped')
  const file = join(folder, 'body.json')
  writeFileSync(file, '{"name": "Filed"}')
  assert.equal((await json('api', 'PATCH', `/v1/segments/${id}`, '--data', `@${file}`)).name, 'Filed')
  assert.match((await run('api', 'GET', '/v1/contacts/export')).stdout, /^id,email,/)
  const { code, stderr } = await run('api', 'DELETE', `/v1/segments/${id}`)
  assert.equal(code, 2)
  assert.ok(stderr.includes(`Add --yes: Delete /v1/segments/${id}?`), stderr)
  assert.equal((await runIn({ answers: ['no'] }, 'api', 'DELETE', `/v1/segments/${id}`)).code, 1)
  assert.equal((await json('api', 'GET', `/v1/segments/${id}`)).name, 'Filed')
  assert.equal((await run('api', 'delete', `/v1/segments/${id}`, '--yes')).code, 0)
  for (const path of [`/v1/broadcasts/${id}/send`, '/v1/emails/batch', '/v1/sms/batch?x=1'])
    assert.match((await run('api', 'post', path, '--data', '{}')).stderr, /Add --yes: Send to many with/)
  const asked = await run('api', 'GET', '/v1/segments', '--data', '{}')
  assert.deepEqual([asked.code, asked.stderr.split(':')[0]], [2, 'A GET takes no --data'])
  for (const path of ['v1/segments', '@other.test/v1']) assert.equal((await run('api', 'GET', path)).code, 2)
})

test('a refused email is sent after the command that its refusal names', async () => {
  const email = ['send', '--from', 'a@named.example', '--to', 'ada@example.test', '--subject', 'S', '--text', 'T']
  const { stderr } = await run(...email)
  const [, named] = /Run: posthorn (.*) \(request/.exec(stderr)!
  const missing = await run(...named!.split(' '))
  assert.equal(missing.code, 1)
  await json('domains', 'add', 'named.example')
  assert.equal((await run(...named!.split(' '))).code, 0)
  assert.equal((await run(...email)).code, 0)
})

test('bash completes nouns, verbs and flags', async () => {
  const { stdout: script } = await run('completion', 'bash')
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const program = `${script}\nCOMP_WORDS=(posthorn ${typed}); COMP_CWORD=${words.length}; _posthorn; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split(' ')
  }
  assert.deepEqual(complete('tem'), ['templates'])
  assert.deepEqual(complete('emails', 're'), ['reschedule'])
  assert.deepEqual(complete('sms', 'senders', 'ver'), ['verify'])
  assert.deepEqual(complete('emails', 'list', '--st'), ['--status'])
  assert.deepEqual(complete('user', 'r'), ['reset-link'])
  for (const shell of ['zsh', 'fish']) assert.match((await run('completion', shell)).stdout, /reschedule/)
  assert.equal((await run('completion', 'csh')).code, 2)
})

test('the commands of the server’s own machine are not taken for ones over HTTP, and an import with --team is theirs', async () => {
  for (const name of Object.keys(commands).filter((each) => each !== 'contacts import'))
    assert.equal(await isOverHttp([...name.split(' '), '--help'], localNames), false, name)
  const asked: [boolean, ...string[]][] = [
    [false, 'contacts', 'import', 'f.csv', '--team', 'x'],
    [false, 'contacts', 'import', 'f.csv', '--team=x'],
    [true, 'contacts', 'import', 'f.csv', '--segment', 'x'],
    [true, '--json', 'emails', 'list'],
    [true, 'help', 'keys'],
    [true, 'sms'],
    [false, 'help', 'team'],
    [false],
  ]
  for (const [expected, ...args] of asked) assert.equal(await isOverHttp(args, localNames), expected, args.join(' '))
})
