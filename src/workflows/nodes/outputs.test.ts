import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { createAudience } from '../../broadcasts/fixtures/audience.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import { startPeer } from '../fixtures/peer.ts'
import { outputOf, runChain } from '../fixtures/workflow.ts'
import { activate } from '../triggers/fixtures/active.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })

type Listed = { type: string; kind: string; outputSchema: object }

async function listTypes({ api }: TestTeam, kind: string): Promise<Listed[]> {
  const { data }: { data: Listed[] } = (await api.get('/v1/workflows/node-types?limit=100')).body
  return data.filter((one) => one.kind === kind)
}

/** Checks that a value has the members of its schema and no others. */
function assertFits({ type, outputSchema }: Listed, value: unknown): void {
  const closed = JSON.parse(JSON.stringify(outputSchema), (_name, part) =>
    part?.properties ? { ...part, additionalProperties: false } : part,
  )
  assert.notEqual(value, undefined, type)
  assert.deepEqual(faultFinder(closed)(value), [], `${type}: ${JSON.stringify(value)}`)
}

async function draftOf(team: TestTeam) {
  const { segmentId, contactIds } = await createAudience(posthorn, team, [{ email: 'ada@people.test' }])
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'New.' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  return { segmentId, contact: contactIds[0], broadcastId: id as string }
}

slowTest('the output of every action is what its type says', async () => {
  const team = await posthorn.team()
  const peer = await startPeer()
  peer.answer = (response) => response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end('{}')
  const { segmentId, contact, broadcastId } = await draftOf(team)
  const rule = { left: 1, operator: 'equals', right: 1 }
  const chat = { webhook_url: `${peer.url}/hook`, message: 'Hello' }
  const configs: Record<string, object> = {
    send_email: { from: `a@${team.domain}`, to: 'ada@people.test', subject: 'Hi', text: 'Hi' },
    send_broadcast: { broadcast_id: broadcastId },
    http_request: { method: 'GET', url: peer.url },
    delay: { duration: '1s' },
    condition: rule,
    filter: rule,
    add_segment: { segment_id: segmentId, contact },
    remove_segment: { segment_id: segmentId, contact },
    update_contact: { contact, first_name: 'Ada' },
    suppress_email: { email: 'gone@people.test' },
    slack_notification: chat,
    discord_notification: chat,
    transform_data: { mode: 'jsonpath', expression: '$.trigger.x' },
    code: { source: 'return { x: 1 }' },
  }
  for (const listed of await listTypes(team, 'action')) {
    const { type } = listed
    assert.ok(configs[type], `Add a config of ${type} to this test.`)
    assertFits(listed, outputOf(await runChain(posthorn, team, [{ type, config: configs[type] }], { x: 1 })))
  }
})

test('the data of every trigger is what its type says', async () => {
  const team = await posthorn.team()
  const { api, domain } = team
  const { broadcastId } = await draftOf(team)
  type Fired = { config?: object; fire(workflow: Awaited<ReturnType<typeof activate>>): Promise<unknown> }
  const fired: Record<string, Fired> = {
    email_event: {
      config: { events: ['sent', 'delivered'] },
      fire: () => api.post('/v1/emails', { from: `a@${domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' }),
    },
    webhook_received: {
      fire: ({ body }) => posthorn.anyone.post(`${new URL(body.triggerUrl).pathname}?a=1`, { x: 1 }),
    },
    schedule: { config: { cron: '* * * * *' }, fire: async () => posthorn.clock.advance(60_000) },
    manual: { fire: (workflow) => workflow.start({ x: 1 }) },
    contact_event: {
      config: { events: ['created'] },
      fire: () => api.post('/v1/contacts', { email: 'grace@people.test', properties: { plan: 'trial' } }),
    },
    broadcast_complete: { fire: () => api.post(`/v1/broadcasts/${broadcastId}/send`) },
  }
  for (const listed of await listTypes(team, 'trigger')) {
    const { config, fire } = fired[listed.type] ?? assert.fail(`Let this test fire ${listed.type}.`)
    const workflow = await activate(team, { type: listed.type, ...(config && { config }) })
    await fire(workflow)
    for (let turn = 0; turn < 5; turn++) {
      await posthorn.runDueJobs()
      posthorn.clock.advance(2000)
    }
    const data = await workflow.triggerData()
    assert.ok(data.length > 0, listed.type)
    for (const one of data) assertFits(listed, one)
    await workflow.switch()
  }
})
