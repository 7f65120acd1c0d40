import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const gone = { state: 'detached' } as const

/** Sends emails, and waits until all are delivered: a list that is open is fetched again with each change. */
async function sendMany(count: number): Promise<void> {
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'One of many', text: 'Hello' }
  for (let left = count; left > 0; left -= 50) {
    const emails = Array.from({ length: Math.min(50, left) }, () => email)
    assert.equal((await posthorn.api('POST', '/v1/emails/batch', { emails })).status, 200)
  }
  await eventually(async () => {
    for (const status of ['scheduled', 'sent'])
      assert.equal((await posthorn.api('GET', `/v1/emails?status=${status}`)).body.total, 0)
  })
}

/** Scrolls to the end of the rows until they show something: rows that are drawn later make the end move. */
async function scrollTo(page: Page, scroller: string, goal: Locator): Promise<void> {
  await eventually(async () => {
    await page.locator(scroller).evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await goal.waitFor({ timeout: 500 })
  })
}

test('an inbox that is emptied elsewhere keeps no row, also of pages that were loaded further down', async () => {
  await sendMany(150)
  const page = await posthorn.open('/app/inbox')
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.getByRole('link').first().waitFor()
  await scrollTo(page, '.inbox-list', messages.locator('[aria-posinset="150"]'))
  assert.equal((await posthorn.api('DELETE', '/v1/inbox')).status, 200)
  await page.getByText('No messages yet').waitFor()
})

test('a next page that is refused says so below the rows, and is asked for again by a person only', async () => {
  posthorn.mayLog(/status of 500/)
  await sendMany(150)
  const page = await posthorn.open('/app/inbox')
  let asked = 0
  await page.route(/\/v1\/emails\?.*cursor=/, (route) => {
    asked++
    return route.fulfill({ status: 500, json: { error: 'internal_error', message: 'Something broke.' } })
  })
  await page.goto(`${posthorn.url}/app/emails`)
  const table = page.getByRole('table', { name: 'Emails' })
  await table.getByRole('link').first().waitFor()
  const refusal = page.getByRole('alert').filter({ hasText: 'Something broke.' })
  await scrollTo(page, 'main', refusal)
  assert.equal(asked, 1)
  await page.unroute(/\/v1\/emails\?.*cursor=/)
  // By keyboard: the rows may still move below a pointer.
  await refusal.getByRole('button', { name: 'Try again' }).press('Enter')
  await refusal.waitFor(gone)
  assert.equal(asked, 1)
})

test('a contact that another person deletes is not found where it is shown, and Back after a deletion neither', async () => {
  posthorn.mayLog(/status of 404/)
  const add = async (email: string) => (await posthorn.api('POST', '/v1/contacts', { email })).body.id as string
  const [first, second] = [await add('first@example.com'), await add('second@example.com')]
  const page = await posthorn.open(`/app/contacts/${first}`)
  await page.getByRole('heading', { level: 1, name: 'first@example.com' }).waitFor()
  await posthorn.api('DELETE', `/v1/contacts/${first}`)
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()

  await page.goto(`${posthorn.url}/app/contacts/${second}`)
  await page.getByRole('button', { name: 'Delete second@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
})

test('the people of a segment follow what programs add and remove', async () => {
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Customers' })).body
  const contact = (await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com' })).body.id
  const page = await posthorn.open(`/app/segments/${id}`)
  await page.getByText('No contacts yet').waitFor()
  await posthorn.api('POST', `/v1/segments/${id}/contacts`, { contactIds: [contact] })
  await page.getByRole('table', { name: 'Contacts' }).getByText('ada@example.com').waitFor()
  await posthorn.api('DELETE', `/v1/segments/${id}/contacts/${contact}`)
  await page.getByText('No contacts yet').waitFor()
})

test('a change that is told while a page is first read is shown, also if the answer is older', async () => {
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Before' })).body
  const [list, page] = [await posthorn.open('/app/segments'), await posthorn.open('/app/inbox')]
  const [read, isTold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(`**/v1/segments/${id}`, async (route) => {
    const response = await route.fetch()
    read.resolve()
    await isTold.promise
    await route.fulfill({ response })
  })
  const opened = page.goto(`${posthorn.url}/app/segments/${id}`)
  await read.promise
  await opened
  await posthorn.api('PATCH', `/v1/segments/${id}`, { name: 'After' })
  await list.getByRole('link', { name: 'After' }).waitFor()
  isTold.resolve()
  await page.getByRole('heading', { level: 1, name: 'After' }).waitFor()
})

test('what needs attention is not said to be nothing while it is not known', async () => {
  posthorn.mayLog(/status of 500/)
  const page = await posthorn.open('/app/inbox')
  // A hint would fetch it again, and take the button away.
  await page.route('**/v1/live', () => undefined)
  await page.route('**/v1/metrics/webhooks?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'internal_error', message: 'Something broke.' } }),
  )
  await page.goto(`${posthorn.url}/app`)
  const wants = page.getByRole('region', { name: 'Needs attention' })
  await wants.getByRole('alert').getByText('Something broke.').waitFor()
  assert.equal(await wants.getByText('Nothing failed.').count(), 0)
  await page.unroute('**/v1/metrics/webhooks?*')
  await wants.getByRole('button', { name: 'Try again' }).click()
  await wants.getByText('Nothing failed.').waitFor()
})

test('a broadcast that does not exist is not found', async () => {
  posthorn.mayLog(/status of 404/)
  const page = await posthorn.open('/app/broadcasts/01890a5d-ac96-774b-bcce-b302099a8057')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
})

test('another tab shows the new name of the team', async () => {
  const [page, other] = [await posthorn.open('/app/settings'), await posthorn.open('/app/inbox')]
  await page.getByLabel('Team name').fill('Acme Letters')
  await page.getByRole('region', { name: 'Team' }).getByRole('button', { name: 'Save team' }).click()
  await other.bringToFront()
  await other.getByText('Acme Letters').first().waitFor()
})
