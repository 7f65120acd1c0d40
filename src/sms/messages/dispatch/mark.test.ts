import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { databaseProxy } from '../../../../test/database-proxy.ts'
import { scriptedProvider } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import { acceptSms } from '../accept/accept.ts'
import { parseSms } from '../accept/parse.ts'
import { dispatchNow } from './dispatch-now.ts'

const provider = scriptedProvider()
const database = databaseProxy()
after(() => database.close())
const posthorn = await createTestApp({}, { smsProvider: provider, through: database.through })
const { app } = posthorn

async function acceptOne(team: TestTeam) {
  provider.sent = []
  const { limits } = (await team.api.get('/v1/rate-limits')).body
  const commands = [parseSms({ to: '+61400000000', body: 'Hello', senderId: await activeSender(team) })]
  const [accepted] = (await acceptSms(app, { teamId: team.id, limits, commands, key: null, isBatch: false }))!
  return accepted!
}

test('a message is sent once if the answer to the commit of its mark is lost', async () => {
  const team = await posthorn.team()
  const accepted = await acceptOne(team)
  database.loseNextCommit()
  const sent = await dispatchNow(app, { accepted, key: null })
  assert.deepEqual([sent.status, sent.providerMessageId], ['accepted', `SM-${accepted.id}`])
  await posthorn.runDueJobsAfter(app.jobs.leaseMs + 1)
  assert.deepEqual(await eventTypes(team, accepted.id), ['accepted'])
  assert.equal(provider.sent.length, 1)
})
