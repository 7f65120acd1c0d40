import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { untilWaiting, whileLocked } from '../../test/while-locked.ts'
import { createResendApp, given, refused } from './fixtures/client.ts'

const { posthorn, setUp } = await createResendApp()
const { app } = posthorn

/** Runs `work` while the contact is deleted. The deletion is committed once a statement waits for it. */
async function whileDeleting<T>(contactId: string, work: () => Promise<T>): Promise<T> {
  const [outcome] = await whileLocked(app, sql`delete from contacts where id = ${contactId}`, async () => {
    const working = work()
    await untilWaiting(app)
    return [working]
  })
  return outcome!
}

async function prepare(defaultSubscription: 'opt_in' | 'opt_out') {
  const { team, resend } = await setUp()
  const { id } = await given(resend.topics.create({ name: 'News', defaultSubscription }))
  const ada = await given(resend.contacts.create({ email: 'ada@example.com' }))
  return { team, resend, id, ada: ada.id }
}

test('opting a contact out while it is deleted answers that there is none', async () => {
  const { team, id, ada } = await prepare('opt_in')
  const answer = await whileDeleting(ada, () => team.api.delete(`/v1/topics/${id}/contacts/${ada}`))
  assert.equal(answer.status, 404)
})

test("setting a contact's topics while it is deleted answers that there is none", async () => {
  const { resend, id, ada } = await prepare('opt_out')
  const topics = [{ id, subscription: 'opt_out' as const }]
  const error = await whileDeleting(ada, () => refused(resend.contacts.topics.update({ id: ada, topics })))
  assert.deepEqual(error.slice(0, 2), [404, 'not_found'])
})
