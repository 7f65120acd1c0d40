import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { createAudience, readers } from '../../../broadcasts/fixtures/audience.ts'
import { setTeamLimits } from '../../../teams/set-plan.ts'
import { activate } from '../fixtures/active.ts'

const posthorn = await createTestApp()

async function draft(team: TestTeam): Promise<string> {
  const { segmentId } = await createAudience(posthorn, team, readers(3))
  const fields = { name: 'News', from: `news@${team.domain}`, segmentId, subject: 'News', text: 'News' }
  return (await team.api.post('/v1/broadcasts', fields)).body.id
}

async function send({ api }: TestTeam, id: string) {
  assert.equal((await api.post(`/v1/broadcasts/${id}/send`)).status, 200)
  for (let turn = 0; turn < 5; turn++) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(2000)
  }
  return (await api.get(`/v1/broadcasts/${id}/stats`)).body
}

test('a broadcast that is cancelled while it is sent fires nothing', async () => {
  const team = await posthorn.team()
  await posthorn.app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit: 2 }))
  const any = await activate(team, { type: 'broadcast_complete' })
  const id = await draft(team)
  assert.equal((await send(team, id)).sent, 2)
  const { body } = await team.api.post(`/v1/broadcasts/${id}/cancel`)
  assert.equal(body.status, 'sent')
  await posthorn.runDueJobs()
  assert.deepEqual(await any.triggerData(), [])
})

test('the end of a broadcast fires once, with its statistics', async () => {
  const team = await posthorn.team()
  const [one, other] = [await draft(team), await draft(team)]
  const any = await activate(team, { type: 'broadcast_complete' })
  const only = await activate(team, { type: 'broadcast_complete', config: { broadcast_id: other } })
  const stats = await send(team, one)
  assert.equal(stats.sent, 3)
  assert.deepEqual(await any.triggerData(), [{ broadcastId: one, stats }])
  assert.deepEqual(await only.triggerData(), [])
  await send(team, other)
  assert.equal((await any.triggerData()).length, 2)
  assert.deepEqual(pluck(await only.triggerData(), 'broadcastId'), [other])
})
