import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const contacts = 6000

/** A broadcast to thousands of contacts, whose sending takes minutes. */
async function createBroadcast(): Promise<string> {
  const segmentId = (await posthorn.api('POST', '/v1/segments', { name: 'Everybody' })).body.id
  for (let start = 0; start < contacts; start += 2000) {
    const page = Array.from({ length: 2000 }, (_, index) => ({ email: `reader${start + index}@example.com` }))
    const { status, body } = await posthorn.api('POST', '/v1/contacts/import', { contacts: page, segmentId })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const content = { subject: 'News', html: '<p>Hello</p>', from: 'News <news@sandbox.test>' }
  const { body } = await posthorn.api('POST', '/v1/broadcasts', { name: 'Long news', segmentId, ...content })
  return body.id
}

test('a broadcast is cancelled while it is sent, and its figures add up to everybody', async () => {
  await posthorn.slowSending()
  const id = await createBroadcast()
  const page = await posthorn.open(`/app/broadcasts/${id}`)
  await page.getByRole('button', { name: 'Review and send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  const stats = async () => (await posthorn.api('GET', `/v1/broadcasts/${id}/stats`)).body
  await eventually(async () => assert.ok((await stats()).sent > 0))
  await page.getByRole('button', { name: 'Cancel broadcast' }).click()
  await page.getByRole('dialog', { name: 'Cancel broadcast?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('status').getByText('Long news is stopped').waitFor()
  await eventually(async () => {
    const { total, sent, skipped } = await stats()
    assert.deepEqual([total, sent + skipped.cancelled], [contacts, contacts])
  })
  const { sent, skipped } = await stats()
  assert.ok(skipped.cancelled > 0, `${sent} were sent before the click`)
  await page
    .getByRole('region', { name: 'Results' })
    .getByText(`${skipped.cancelled.toLocaleString('en')} cancelled`)
    .waitFor()
})

test('a server that is stopped while pages are open exits without an error', async () => {
  posthorn.mayLog(/ERR_|Failed to load|status of 50\d/)
  for (const path of ['inbox', 'emails', 'broadcasts', 'contacts', 'overview', 'usage', 'domains', 'webhooks']) {
    await (await posthorn.open(`/app/${path === 'overview' ? '' : path}`)).getByRole('heading', { level: 1 }).waitFor()
  }
  assert.equal(await posthorn.stopServer(), 0)
})
