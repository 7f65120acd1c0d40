import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { testTeamOf } from '../../platform/mode/mode.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run } = await createCommandLine()

const assignments = () =>
  posthorn.app.db.selectFrom('number_assignments').select(['channel', 'number', 'team_id', 'made_by']).execute()

slowTest('an operator assigns a number to a team, to another team, and releases it', async () => {
  const [first, second] = [await posthorn.team(), await posthorn.team()]
  const given = await run('sms', 'assign-number', '+61400000000', first.id)
  assert.deepEqual([given.code, given.stdout], [0, `The number +61400000000 is team ${first.id}'s.\n`], given.stderr)
  const moved = await run('sms', 'assign-number', '+61400000000', second.id)
  assert.match(moved.stdout, new RegExp(`is team ${second.id}'s. It was team ${first.id}'s`))
  await run('whatsapp', 'assign-number', '106540352242922', first.id)
  assert.deepEqual(
    (await assignments()).sort((a, b) => (a.channel < b.channel ? -1 : 1)),
    [
      { channel: 'sms', number: '+61400000000', team_id: second.id, made_by: 'operator' },
      { channel: 'whatsapp', number: '106540352242922', team_id: first.id, made_by: 'operator' },
    ],
  )
  const released = await run('sms', 'release-number', '+61400000000')
  assert.equal(released.code, 0, released.stderr)
  assert.equal((await assignments()).length, 1)
})

test('a command that fails says why in a sentence', async () => {
  const calls: [code: number, message: RegExp, args: string[]][] = [
    [
      2,
      /^The number must be in E\.164 form, .*; it was "Shop"\.\n/,
      ['sms', 'assign-number', 'Shop', posthorn.app.newId()],
    ],
    [1, /there is no team/, ['sms', 'assign-number', '+61400000000', posthorn.app.newId()]],
    [1, /the number 12345 is no team's/, ['sms', 'release-number', '12345']],
    [2, /^<phoneNumberId> must be given\./, ['whatsapp', 'release-number']],
    [2, /^The id of a team is a UUID, and "mine" is not/, ['sms', 'assign-number', '+61400000000', 'mine']],
  ]
  for (const [code, message, args] of calls) {
    const answer = await run(...args)
    assert.equal(answer.code, code, answer.stderr)
    assert.match(answer.stderr, message)
  }
})

test('the id of a test mode is refused with that of its team, and no number or limit is set under it', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const testId = testTeamOf(team.id)
  const before = await assignments()
  for (const args of [
    ['sms', 'assign-number', '+61400000009', testId],
    ['team', 'set-plan', testId, 'pro'],
    ['team', 'set-limits', testId, 'dailyEmailLimit=5'],
    ['billing', 'verify', testId],
  ]) {
    const { code, stderr } = await run(...args)
    assert.equal(code, 2, `${args}`)
    assert.ok(stderr.includes(`The id ${testId} is that of a team's test mode.`) && stderr.includes(team.id), stderr)
  }
  assert.deepEqual(await assignments(), before)
  assert.equal((await team.api.get('/v1/rate-limits')).body.tier.plan, 'free')
})
