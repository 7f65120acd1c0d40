import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { activate } from '../fixtures/active.ts'

test('a workflow that calls its own URL stops after five, and the sixth says why', async () => {
  const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
  const address = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })
  const team = await posthorn.team()
  const call = {
    type: 'http_request',
    config: { method: 'POST', url: '{{trigger.body.next}}', body: '{"next":"{{trigger.body.next}}"}' },
  }
  const workflow = await activate(team, { type: 'webhook_received', config: {} }, call)
  const { body: shown } = await team.api.get(`/v1/workflows/${workflow.id}`)
  const url = new URL(shown.triggerUrl).pathname
  await posthorn.anyone.post(url, { next: address + url })
  for (let turn = 0; turn < 8; turn++) await posthorn.runDueJobs()
  const executions = await workflow.executions()
  assert.deepEqual(
    executions.map(({ status }) => status),
    [...Array(5).fill('completed'), 'failed'],
    JSON.stringify(executions),
  )
  assert.match(executions.at(-1).error, /chain/)
})
