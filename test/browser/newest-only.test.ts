import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const phone = '+61491570156'

/** Answers each page of a list as one of many. Returns the addresses that were asked for. */
async function answerMany(page: Page, path: string, rowOf: (index: number) => object): Promise<URL[]> {
  const asked: URL[] = []
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const url = new URL(route.request().url())
      asked.push(url)
      const start = Number(url.searchParams.get('cursor') ?? 0)
      const data = Array.from({ length: 100 }, (_, index) => rowOf(start + index))
      await route.fulfill({ json: { data, cursor: String(start + 100), hasMore: true } })
    },
  )
  return asked
}

test('a page whose menus hold only the newest of a noun says so', async () => {
  const page = await posthorn.open('/app/suppressions')
  const createdAt = new Date().toISOString()
  await answerMany(page, '/v1/segments', (index) => ({
    ...{ id: `id-${index}`, name: `Segment ${index}` },
    ...{ contactCount: 0, createdAt, updatedAt: createdAt },
  }))
  await page.goto(`${posthorn.url}/app/contacts`)
  await page.getByText('Menus list the newest 1,000 segments.').waitFor()
  await checkAccessibility(page)
})

test('a tab of the inbox lists the conversations of its channel, and says where the list ends', async () => {
  const page = await posthorn.open('/app/suppressions')
  const asked = await answerMany(page, '/v1/inbox/threads', (index) => ({
    ...{ channel: 'whatsapp', phoneNumber: `+4477009${String(index).padStart(5, '0')}` },
    ...{ lastMessageAt: new Date().toISOString(), preview: 'Hello' },
  }))
  await page.goto(`${posthorn.url}/app/inbox?channel=whatsapp`)
  await page.getByText('The newest 1,000 are listed.').waitFor()
  const channels = asked.map(({ searchParams }) => searchParams.get('channel'))
  assert.ok(channels.includes('whatsapp'))
  assert.ok(!channels.includes('sms'))
  await checkAccessibility(page)
})

test('a conversation of the inbox that is emptied elsewhere leaves the page', async () => {
  posthorn.mayLog(/status of 404/)
  const { id } = (await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })).body
  await posthorn.api('POST', `/v1/sms/senders/${id}/verify`)
  await posthorn.api('POST', '/v1/sms', { to: phone, body: 'Your code is 123456', senderId: id })
  const page = await posthorn.open(`/app/inbox?channel=sms&number=${encodeURIComponent(phone)}`)
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('Your code is 123456').waitFor()
  await posthorn.api('DELETE', '/v1/inbox')
  await log.waitFor({ state: 'detached' })
  await page.getByText('Not found', { exact: true }).waitFor()
})
