import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { databaseProxy } from '../../../../test/database-proxy.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../../fixtures/shop.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { acceptWhatsapp } from '../accept/accept.ts'

test('a message that did not reach the provider while the database was gone is sent by a later attempt', async () => {
  const { provider, sent } = obedientProvider()
  const database = databaseProxy()
  after(() => database.close())
  const posthorn = await createTestApp(
    { WHATSAPP_WEBHOOK_SECRET: webhookSecret },
    { whatsappProvider: provider, through: database.through },
  )
  const shop = await openShop(posthorn)
  const to = newNumber()
  await shop.write(to, 'Hi')
  // Schedules are done, so the message's job is the only one that needs the database below.
  await posthorn.runDueJobs()
  const command = { kind: 'text' as const, senderId: shop.senderId, to, body: 'Hello' }
  const { id } = (await acceptWhatsapp(posthorn.app, { teamId: shop.team.id, command, key: null }))!
  posthorn.clock.advance(posthorn.app.jobs.leaseMs)
  const accepting = provider.send
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<WhatsappAnswer>()]
  provider.send = () => {
    asked.resolve()
    return answered.promise
  }
  const running = posthorn.runDueJobs()
  // It looks for further jobs, which fails while the database is gone.
  running.catch(() => undefined)
  await asked.promise
  database.cut()
  const { app } = posthorn
  const { transaction } = app
  const failed = Promise.withResolvers<void>()
  app.transaction = (work) =>
    transaction(work).catch((error) => {
      failed.resolve()
      throw error
    })
  answered.resolve({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
  await failed.promise
  database.mend()
  await running.catch(() => undefined)
  provider.send = accepting
  await posthorn.runDueJobsAfter(5000)
  const { status, events } = await shop.message(id)
  assert.deepEqual([status, events.map(({ type }: { type: string }) => type), sent.length], ['sent', ['sent'], 1])
})
