import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, folder, run } = await createCommandLine()

slowTest(
  'a file of twenty thousand goes in page by page beside a running server, and its rejected rows come out',
  async () => {
    const team = await posthorn.team()
    const segmentId = (await team.api.post('/v1/segments', { name: 'Readers' })).body.id
    const row = (n: number) =>
      n % 5000 === 7 ? `no address ${n},N,` : `reader${n}@example.com,Reader ${n},"Paris, France"`
    const path = join(folder, 'readers.csv')
    writeFileSync(path, ['email,first_name,city', ...Array.from({ length: 20_000 }, (_, n) => row(n)), ''].join('\r\n'))
    const earlier = Array.from({ length: 100 }, (_, n) => ({
      email: `reader${n + 100}@example.com`,
      firstName: `Reader ${n + 100}`,
    }))
    await team.api.post('/v1/contacts/import', { contacts: earlier, segmentId })
    const { code, stdout, stderr } = await run('contacts', 'import', path, '--team', team.id, '--segment', segmentId)
    assert.equal(code, 0, stderr)
    assert.deepEqual(stdout.split('\n'), [
      '20,000 rows: 19,896 created, 0 updated, 100 unchanged, 4 rejected.',
      'Columns that contacts do not have were left out: city.',
      `The rejected rows, with the reason of each, are in ${join(folder, 'readers.rejected.csv')}.`,
      '',
    ])
    const rejected = readFileSync(join(folder, 'readers.rejected.csv'), 'utf8').split('\r\n')
    assert.equal(rejected.length, 6)
    assert.match(rejected[1]!, /^no address 7,N,,"?line 9: email: /)
    assert.equal((await team.api.get(`/v1/segments/${segmentId}`)).body.contactCount, 19_996)
  },
)

test('a command that fails says why in a sentence', async () => {
  const team = await posthorn.team()
  const path = join(folder, 'broken.csv')
  writeFileSync(path, 'email\nada@example.com\n"bob@example.com\n')
  const broken = await run('contacts', 'import', path, '--team', team.id)
  assert.deepEqual([broken.code, broken.stdout], [1, ''])
  assert.match(broken.stderr, /broken\.csv, line 3: a quote .* Rows before it are in/)
  assert.equal((await team.api.get('/v1/contacts')).body.data.length, 1)
  const calls: [code: number, message: RegExp, args: string[]][] = [
    [
      2,
      /^The command has no option --colour; .*\n\nUsage: posthorn contacts import/,
      [path, '--team', team.id, '--colour'],
    ],
    [2, /^FILE\.csv must be given\./, ['--team', team.id]],
    [2, /^--team must say whose contacts they are; see: posthorn team list\n/, [path]],
    [2, /^The id of a team is a UUID, and "mine" is not; see: posthorn team list\n/, [path, '--team', 'mine']],
    [2, /^The id of a segment is a UUID, and "nope" is not;/, [path, '--team', team.id, '--segment', 'nope']],
    [1, /there is no file .*nowhere\.csv/, [join(folder, 'nowhere.csv'), '--team', team.id]],
    [1, /segmentId: is not a segment/, [path, '--team', team.id, '--segment', team.id]],
  ]
  await Promise.all(
    calls.map(async ([code, message, args]) => {
      const answer = await run('contacts', 'import', ...args)
      assert.equal(answer.code, code, answer.stderr)
      assert.match(answer.stderr, message)
    }),
  )
})
