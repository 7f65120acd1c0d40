import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { goOnAfterKill } from '../fixtures/killed.ts'
import { activateChain, errorOf, outputOf, runChain, runWorkflow } from '../fixtures/workflow.ts'
import { findEarlierEmail } from '../mail/earlier-attempt.ts'
import { sendOnBehalf } from '../mail/send.ts'
import type { Turn } from './node.ts'

const posthorn = await createTestApp()

const stepOf = (team: TestTeam, config: object) => {
  const whole = {
    from: `Shop <hello@${team.domain}>`,
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'Hello',
    ...config,
  }
  return { type: 'send_email', config: whole }
}
const send = (team: TestTeam, config: object, triggerData?: object) =>
  runChain(posthorn, team, [stepOf(team, config)], triggerData)

async function inbox(team: TestTeam) {
  const { data } = (await team.api.get('/v1/inbox')).body
  return Promise.all(data.map(async ({ id }: { id: string }) => (await team.api.get(`/v1/inbox/${id}`)).body))
}

test('an email is sent, and its id and status are the output', async () => {
  const team = await posthorn.team()
  const execution = await send(team, { html: '<p>Hi</p>', reply_to: 'help@example.com' })
  const { emailId, status } = outputOf(execution)
  assert.equal(status, 'sent')
  const [message] = await inbox(team)
  assert.equal(message.emailId, emailId)
  assert.deepEqual([message.subject, message.to], ['Hello', ['ada@example.com']])
  assert.match(JSON.stringify(message.headers), /help@example.com/)
  const email = (await team.api.get(`/v1/emails/${emailId}`)).body
  assert.deepEqual([email.status, email.html, email.text], ['delivered', '<p>Hi</p>', 'Hello'])
})

test('values fill subject, HTML and text: escaped in HTML, without line breaks in the subject, and never filled again', async () => {
  const team = await posthorn.team()
  const name = 'Ada & <Bob>\r\n{{trigger.secret}} {{code}}'
  const html = '<p>{{trigger.name}} {{code}} {{unknown}}</p>'
  const template_variables = { code: '<{{trigger.secret}}>' }
  const config = { subject: '{{trigger.name}}', html, text: '{{ trigger.name }} {{code}}', template_variables }
  const { emailId } = outputOf(await send(team, config, { name, secret: '{{code}}' }))
  const email = (await team.api.get(`/v1/emails/${emailId}`)).body
  assert.equal(email.subject, 'Ada & <Bob>{{trigger.secret}} {{code}}')
  assert.equal(email.html, '<p>Ada &amp; &lt;Bob&gt;\r\n{{trigger.secret}} {{code}} &lt;{{code}}&gt; {{unknown}}</p>')
  assert.equal(email.text, 'Ada & <Bob>\r\n{{trigger.secret}} {{code}} <{{code}}>')
})

test('to is an address, a list of addresses, or a placeholder whose value is a list', async () => {
  const team = await posthorn.team()
  const people = ['Ada <ada@example.com>', 'bob@example.com']
  for (const [to, expected] of [
    ['{{trigger.people}}', people],
    [
      ['eve@example.com', '{{trigger.people}}'],
      ['eve@example.com', ...people],
    ],
    ['{{trigger.people[1]}}', ['bob@example.com']],
    [
      ['{{trigger.people.1}}', 'x-{{trigger.people.1}}'],
      ['bob@example.com', 'x-bob@example.com'],
    ],
  ] as const) {
    const { emailId } = outputOf(await send(team, { to }, { people }))
    assert.deepEqual((await team.api.get(`/v1/emails/${emailId}`)).body.to, expected)
  }
})

test('a template gives the texts that the config leaves out', async () => {
  const team = await posthorn.team()
  const fields = { name: 'Welcome', html: '<p>Hi {{name}}, {{trigger.secret}}</p>', text: 'Hi {{name}}' }
  const { id } = (await team.api.post('/v1/templates', fields)).body
  const variables = { name: '{{trigger.name}}', count: 3, nothing: null }
  const config = { text: undefined, template_id: id, template_variables: variables }
  assert.match(errorOf(await send(team, config, { name: 'x' })), /draft/)
  await team.api.patch(`/v1/templates/${id}`, { status: 'published' })
  const { emailId } = outputOf(await send(team, config, { name: 'A<da {{count}}', secret: 'hidden' }))
  const email = (await team.api.get(`/v1/emails/${emailId}`)).body
  assert.equal(email.html, '<p>Hi A&lt;da {{count}}, {{trigger.secret}}</p>')
  assert.equal(email.text, 'Hi A<da {{count}}')
})

test('filled addresses are checked, and the error names the field and what it became', async () => {
  const team = await posthorn.team()
  const before = posthorn.clock.now()
  const failures: [object, object, RegExp][] = [
    [
      { to: '{{trigger.to}}' },
      { to: 'a@b.co\r\nBcc: eve@example.com' },
      /^to\[0\]: must be one address.*became "a@b.co\\r\\n/,
    ],
    [{ to: '{{trigger.to}}' }, { to: [] }, /^to: .*empty list/],
    [{ to: '{{trigger.to}}' }, { to: [{ email: 'a@b.co' }] }, /^to\[0\]: .*became {"email":"a@b.co"}/],
    [{ to: '{{trigger.to}}' }, { to: Array(51).fill('a@b.co') }, /^to: must be at most 50 addresses; it became 51/],
    [{ to: '{{trigger.to}}' }, {}, /^to\[0\]: .*became "{{trigger.to}}"/],
    [{ from: '{{trigger.from}}' }, { from: 'nobody' }, /^from: .*became "nobody"/],
    [{ reply_to: '{{trigger.to}}' }, { to: '' }, /^reply_to: .*became ""/],
    [{ subject: '{{trigger.s}}' }, { s: 'x'.repeat(999) }, /^subject: must be at most 998 characters; it became 999/],
  ]
  for (const [config, triggerData, message] of failures) {
    assert.match(errorOf(await send(team, config, triggerData)), message)
  }
  assert.deepEqual([posthorn.clock.now(), (await inbox(team)).length], [before, 0])
})

test('an unverified domain or a suppressed recipient fails the node for good', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const before = posthorn.clock.now()
  assert.match(errorOf(await send(team, { from: `a@${other.domain}` })), /not a verified domain of this team/)
  await team.api.post('/v1/suppressions', { email: 'ada@example.com' })
  assert.match(errorOf(await send(team, {})), /On the suppression list: ada@example.com/)
  assert.deepEqual(posthorn.clock.now(), before)
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})

test('an email past the daily limit is tried again, and then the node fails', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  outputOf(await send(team, {}))
  const before = posthorn.clock.now().getTime()
  assert.match(errorOf(await send(team, {})), /[Dd]aily/)
  assert(posthorn.clock.now().getTime() - before >= 31_000)
  assert.equal((await team.api.get('/v1/emails')).body.total, 1)
})

test('an email past the limit per second is accepted, and is sent when the limit allows it', async () => {
  const team = await posthorn.team({ plan: 'free', limits: { emailsPerSecond: 1, batchSize: 2 } })
  const statuses = []
  const active = await activateChain(team, [stepOf(team, {})])
  for (let n = 0; n < 4; n++) statuses.push(outputOf(await runWorkflow(posthorn, team, active.body.id)).status)
  assert.deepEqual(statuses, ['sent', 'sent', 'scheduled', 'scheduled'])
  for (let second = 0; second < 3; second++) {
    await posthorn.runDueJobsAfter(1000)
  }
  assert.equal((await inbox(team)).length, 4)
})

test('an email is sent once, also if its process is killed after sending and before recording it', async () => {
  const team = await posthorn.team()
  const execution = await send(team, {})
  const { emailId } = outputOf(execution)
  await posthorn.runDueJobsAfter(5 * 24 * 60 * 60 * 1000)
  const after = outputOf(await goOnAfterKill(posthorn, team, execution))
  assert.deepEqual(after, { emailId, status: 'delivered' })
  assert.equal((await team.api.get('/v1/emails')).body.total, 1)
})

test('an email is sent once, also if its process is killed between accepting and sending it', async () => {
  const team = await posthorn.team({ limits: { emailsPerSecond: 1, batchSize: 1 } })
  outputOf(await send(team, {}))
  const execution = await send(team, { to: 'bob@example.com' })
  const { emailId, status } = outputOf(execution)
  assert.equal(status, 'scheduled')
  assert.deepEqual(outputOf(await goOnAfterKill(posthorn, team, execution)), { emailId, status: 'scheduled' })
  await posthorn.runDueJobsAfter(1000)
  assert.deepEqual(pluck(await inbox(team), 'to'), [['bob@example.com'], ['ada@example.com']])
})

test('attempts at the same moment make one email', async () => {
  const team = await posthorn.team()
  const { app } = posthorn
  const [id, executionId] = [app.newId(), app.newId()]
  const turn: Turn = {
    app,
    teamId: team.id,
    workflowId: app.newId(),
    executionId,
    depth: 1,
    id,
    nodeId: 'n1',
    attempt: 1,
    startedAt: app.clock.now(),
    context: { trigger: {}, vars: {} },
    idempotencyKey: `race-${id}`,
    clock: { stop() {}, start() {} },
    signal: new AbortController().signal,
  }
  const { config } = stepOf(team, {})
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => sendOnBehalf(turn, config)))
  const sent = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
  assert.deepEqual(sent, [id])
  assert.equal((await inbox(team)).length, 1)
  assert.equal((await findEarlierEmail({ ...turn, attempt: 2 }))?.id, id)
})

const refused: Record<string, [object, string]> = {
  'no sender': [{ from: undefined }, 'from'],
  'an invalid sender': [{ from: 'Shop' }, 'from'],
  'no recipient': [{ to: undefined }, 'to'],
  'an empty list of recipients': [{ to: [] }, 'to'],
  'a list in one text': [{ to: 'a@b.co, c@d.co' }, 'to'],
  'an invalid recipient': [{ to: ['a@b.co', 'ada'] }, 'to[1]'],
  'no subject': [{ subject: undefined }, 'subject'],
  'an invalid reply address': [{ reply_to: 'x' }, 'reply_to'],
  'an unknown template': [{ template_id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'template_id'],
  'a variable that is a list': [{ template_variables: { a: [1] } }, 'template_variables.a'],
  'an unknown field': [{ templateId: 'x' }, 'templateId'],
}
for (const [what, [config, path]] of Object.entries(refused)) {
  test(`a config with ${what} is refused at activation`, async () => {
    const team = await posthorn.team()
    const answer = await activateChain(team, [stepOf(team, config)])
    assert.equal(answer.status, 400, answer.text)
    const paths = answer.body.errors.map((fault: { path: string }) => fault.path)
    assert.deepEqual([...new Set(paths)], [`nodes[1].config.${path}`])
  })
}

slowTest('a text that no email can contain fails the node for good, and the error names its field', async () => {
  const team = await posthorn.team()
  const code = { id: 'made', type: 'code', config: { source: 'return ["a\\0b", "a\\ud800b"]' } }
  for (const [index, message] of ['NUL', 'surrogate'].entries()) {
    for (const field of ['subject', 'text', 'html']) {
      const step = { id: 'n1', ...stepOf(team, { [field]: `{{node_made[${index}]}}` }) }
      const error = errorOf(await runChain(posthorn, team, [code, step]))
      assert.match(error, new RegExp(`^${field}: must not hold .*${message}`))
    }
  }
  assert.deepEqual(await inbox(team), [])
})
