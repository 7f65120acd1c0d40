import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run } = await createCommandLine()
// Commands use the machine's clock.
posthorn.clock.set(new Date())
const password = 'a long and winding road'

test('an operator makes a further team for a person with an account, who enters it and reads who made it', async () => {
  const { body } = await posthorn.anyone.post('/auth/signup', { email: 'ada@example.com', password })
  const ada = posthorn.as(body.accessToken)
  const made = await run('team', 'create', 'Engines', 'Ada@example.com', '--plan', 'pro')
  assert.equal(made.code, 0, made.stderr)
  const [, id] =
    /^Team Engines \(([0-9a-f-]{36})\) is on the plan pro, with the owner Ada@example\.com, in the database \w+ on \S+\.\n$/.exec(
      made.stdout,
    ) ?? assert.fail(made.stdout)
  const own = await ada.get('/auth/teams')
  assert.deepEqual(own.body.data[0], { id, name: 'Engines', plan: 'pro', role: 'owner' })
  const there = posthorn.as((await ada.post('/auth/switch', { teamId: id })).body.accessToken)
  const { data } = (await there.get('/v1/audit?action=team.created')).body
  assert.deepEqual(
    data.map(({ actor, target }: Record<string, { type: string; id: string }>) => [actor!.type, target!.id]),
    [['operator', id]],
  )
  const { body: subscription } = await there.get('/v1/billing/subscription')
  assert.equal(subscription.smsCreditCentsRemaining, subscription.monthlySmsCreditCents)
})

test('a team without an account for its owner, a name or a plan is refused', async () => {
  const refused: [string[], number, RegExp][] = [
    [['Engines', 'nobody@example.com'], 1, /there is no account with the address nobody@example\.com/],
    [['Engines'], 2, /EMAIL/],
    [['x'.repeat(101), 'ada@example.com'], 2, /The name of the team/],
    [['Engines', 'ada@example.com', '--plan', 'gold'], 2, /There is no plan "gold"/],
  ]
  for (const [args, code, fault] of refused) {
    const ended = await run('team', 'create', ...args)
    assert.deepEqual([ended.code, fault.test(ended.stderr)], [code, true], ended.stderr)
  }
})
