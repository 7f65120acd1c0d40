import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { activateChain, errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await sharedTestApp()

const suppress = (team: TestTeam, config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'suppress_email', config }], triggerData)

test('the output is the entry of the address, also of one that is suppressed already', async () => {
  const team = await posthorn.team()
  for (const email of ['Ada@example.com', 'ada@EXAMPLE.com']) {
    const output = outputOf(await suppress(team, { email: '{{trigger.email}}' }, { email }))
    const { data } = (await team.api.get('/v1/suppressions')).body
    assert.equal(data.length, 1)
    assert.deepEqual(output, { suppressionId: data[0].id, email: 'Ada@example.com', reason: 'manual' })
  }
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' }
  assert.equal((await team.api.post('/v1/emails', email)).status, 422)
})

test('a missing address is that of the contact, or of the recipient of the email event', async () => {
  const mail = { destination: ['all@example.com', 'bounced@example.com'] }
  const about = (emailAddress: string) => [{ emailAddress }]
  for (const [triggerData, expected] of [
    [{ contact: { email: 'contact@example.com' }, data: { mail } }, 'contact@example.com'],
    [
      { contact: null, data: { bounce: { bouncedRecipients: about('bounced@example.com') }, mail } },
      'bounced@example.com',
    ],
    [{ contact: null, data: { complaint: { complainedRecipients: about('c@example.com') }, mail } }, 'c@example.com'],
    [{ contact: null, data: { delivery: { recipients: ['d@example.com'] }, mail } }, 'd@example.com'],
    [{ contact: null, data: { mail } }, 'all@example.com'],
  ] as const) {
    assert.equal(outputOf(await suppress(await posthorn.team(), {}, triggerData)).email, expected)
  }
})

test('an invalid or missing address fails the node for good', async () => {
  const team = await posthorn.team()
  const before = posthorn.clock.now()
  assert.match(errorOf(await suppress(team, {}, {})), /^email: the trigger has no contact and no email/)
  const named = await suppress(team, { email: '{{trigger.email}}' }, { email: 'Ada <ada@example.com>' })
  assert.match(errorOf(named), /^email: must be one bare address.*became "Ada <ada@example.com>"/)
  assert.deepEqual([posthorn.clock.now(), (await team.api.get('/v1/suppressions')).body.data], [before, []])
})

test('a config with an invalid address is refused at activation', async () => {
  const team = await posthorn.team()
  for (const email of ['', 'ada', 'Ada <ada@example.com>', 5]) {
    const answer = await activateChain(team, [{ type: 'suppress_email', config: { email } }])
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.email'])
  }
})
