import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { slowTest } from '../../../test/slow.ts'
import { acceptMessages } from '../../billing/fixtures/messages.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run } = await createCommandLine()

slowTest('billing verify checks all teams beside a running server, and names a difference and fails', async () => {
  const [good, bad] = [await posthorn.team({ plan: 'pro' }), await posthorn.team({ plan: 'pro' })]
  await acceptMessages(posthorn.app, good.id, [1, 2, 3])
  await acceptMessages(posthorn.app, bad.id, [3])
  assert.deepEqual(await run('billing', 'verify'), { code: 0, stdout: '2 teams, 4 messages, all exact\n', stderr: '' })
  await sql`update sms_credit set balance_units = 1 where team_id = ${bad.id}`.execute(posthorn.app.db)
  assert.deepEqual(await run('billing', 'verify'), {
    code: 1,
    stdout: `team ${bad.id}: its credit is $0.0001, its entries add up to $1.75\n`,
    stderr: 'posthorn: 2 teams, 4 messages: 1 team differs.\n',
  })
  const one = await run('billing', 'verify', good.id)
  assert.deepEqual([one.code, one.stdout], [0, '1 team, 3 messages, all exact\n'])
})

test('a command that fails says why in a sentence', async () => {
  const [unknown, wrong] = await Promise.all([
    run('billing', 'verify', posthorn.app.newId()),
    run('billing', 'verify', 'x'),
  ])
  assert.deepEqual([unknown.code, wrong.code], [1, 2])
  assert.match(unknown.stderr, /there is no team \S+; see: posthorn team list/)
  assert.match(
    wrong.stderr,
    /^The id of a team is a UUID, and "x" is not[\s\S]*Usage: posthorn billing verify \[teamId\]/,
  )
})

test('an unknown plan is refused with the names of the plans', async () => {
  const team = await posthorn.team()
  const { code, stderr } = await run('team', 'set-plan', team.id, 'gold')
  assert.equal(code, 2)
  assert.match(stderr, /There is no plan "gold"; the plans are free, pro, scale, enterprise\./)
})

test('a plan set by an operator has its SMS credit at once', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const { code, stdout } = await run('team', 'set-plan', team.id, 'scale')
  assert.deepEqual([code, stdout], [0, `Team ${team.id} is on the plan scale.\n`])
  const { balance_units } = await posthorn.app.db
    .selectFrom('sms_credit')
    .select('balance_units')
    .where('team_id', '=', team.id)
    .executeTakeFirstOrThrow()
  assert.equal(balance_units, '200000')
})

test('a batch limit beyond the size of a request is refused', async () => {
  const team = await posthorn.team()
  const { code, stderr } = await run('team', 'set-limits', team.id, 'smsBatchSize=101')
  assert.equal(code, 2)
  assert.match(stderr, /smsBatchSize must be 100 at most/)
})
