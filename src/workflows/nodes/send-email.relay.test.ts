import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { startSink } from '../../../test/smtp-sink.ts'
import { smtpProvider } from '../../emails/providers/smtp.ts'
import { activateChain, errorOf, nodeOf, runWorkflow } from '../fixtures/workflow.ts'

const sink = await startSink()
after(sink.close)
const relay = () => ({ emailProvider: smtpProvider({ url: sink.url, localName: 'posthorn.test' }) })
const posthorn = await createTestApp({ EMAIL_UNREACHABLE: 'refuse' }, relay())

test('an email whose provider is not there waits as delayed, the execution goes on, and it is sent once', async () => {
  const patient = await createTestApp({}, relay())
  const team = await patient.team()
  const config = { from: `a@${team.domain}`, to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  const { body: workflow } = await activateChain(team, [{ type: 'send_email', config }])
  sink.state.refusing = true
  const execution = await runWorkflow(patient, team, workflow.id)
  sink.state.refusing = false
  const { emailId, status } = nodeOf(execution).outputData
  assert.deepEqual([execution.status, status], ['completed', 'delayed'])
  await patient.runDueJobsAfter(5000)
  const copies = sink.messages.splice(0).map(({ messageId }) => messageId)
  assert.deepEqual(copies, [`<${emailId}@${team.domain}>`])
})

test('with EMAIL_UNREACHABLE=refuse the node tries an email again that is refused for now, and it is sent once', async () => {
  const team = await posthorn.team()
  const config = { from: `a@${team.domain}`, to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  const { body: workflow } = await activateChain(team, [{ type: 'send_email', config }])
  sink.state.refusing = true
  const path = `/v1/workflows/${workflow.id}/executions`
  const { id } = (await team.api.post(path, {})).body
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`${path}/${id}`)).body.status, 'running')
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  sink.state.refusing = false
  await posthorn.runDueJobsAfter(1000)
  const execution = (await team.api.get(`${path}/${id}`)).body
  const { emailId, status } = nodeOf(execution).outputData
  assert.deepEqual([execution.status, status], ['completed', 'sent'])
  assert.deepEqual(pluckRows(sink.messages, 'messageId', 'to'), [[`<${emailId}@${team.domain}>`, ['ada@example.com']]])
})

test('an email that a node sends hours after it began counts in the stored total of a list', async () => {
  const team = await posthorn.team()
  const content = { from: `a@${team.domain}`, subject: 'Hello', text: 'Hello' }
  const from = posthorn.clock.now().toISOString()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString()
  const emails = Array.from({ length: 100 }, () => ({ ...content, to: ['ada@example.com'], scheduledAt }))
  for (let sent = 0; sent < 400; sent += 100) await ok(team.api.post('/v1/emails/batch', { emails }))
  const config = { ...content, to: 'ada@example.com' }
  const { body: workflow } = await activateChain(team, [{ type: 'send_email', config }])
  sink.state.refusing = true
  await ok(team.api.post(`/v1/workflows/${workflow.id}/executions`, {}))
  await posthorn.runDueJobs()
  sink.state.refusing = false
  const total = async () => (await ok(team.api.get(`/v1/emails?from=${from}`))).total
  posthorn.clock.advance(3 * 3_600_000)
  assert.equal(await total(), 400)
  await posthorn.runDueJobs()
  assert.equal(await total(), 401)
})

test('with EMAIL_UNREACHABLE=refuse an email that is refused at all attempts fails the node and is deleted', async () => {
  const team = await posthorn.team()
  const config = { from: `a@${team.domain}`, to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  const { body: workflow } = await activateChain(team, [{ type: 'send_email', config }])
  sink.state.refusing = true
  assert.match(errorOf(await runWorkflow(posthorn, team, workflow.id)), /Nothing was sent/)
  sink.state.refusing = false
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})
