import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../../test/app.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { searchDatabase } from '../../../privacy/fixtures/search-database.ts'
import { scriptedProvider } from '../../fixtures/scripted-provider.ts'
import { activeSender } from '../../fixtures/sender.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })

test('a refusal that quotes the number, and comes after the erasure of the recipient, is recorded without it', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  const number = '+61491570156'
  const [asked, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  provider.onSend = async () => {
    asked.resolve()
    await erased.promise
    return { kind: 'refused', message: `The 'To' number ${number} is not valid.`, data: null }
  }
  const sending = team.api.post('/v1/sms', { senderId, to: number, body: 'Hello' })
  await asked.promise
  const { api, path } = await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  erased.resolve()
  await sending
  assert.deepEqual(await searchDatabase(posthorn, [number]), [])
})
