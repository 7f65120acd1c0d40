import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function create(path: string, body: object): Promise<string> {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body.id
}

const shows = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Goes straight from the page of one thing to that of another. */
async function goTo(page: Page, id: string, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.waitFor()
  await page.keyboard.type(id)
  await palette.getByRole('option', { name }).click()
  await shows(page, name)
}

test('remote images that are loaded in one email are not loaded in another', async () => {
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], html: '<p>Hello</p>' }
  const [one, other] = [
    await create('/v1/emails', { ...email, subject: 'One' }),
    await create('/v1/emails', { ...email, subject: 'Other' }),
  ]
  const page = await posthorn.open(`/app/emails/${one}`)
  const remote: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('images=remote')) remote.push(new URL(request.url()).pathname)
  })
  await shows(page, 'One')
  await goTo(page, other, 'Other')
  const load = page.getByRole('button', { name: 'Load remote images' })
  await load.click()
  await load.and(page.locator('[aria-pressed="true"]')).waitFor()
  await page.goBack()
  await shows(page, 'One')
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Hello').waitFor()
  assert.equal(await load.getAttribute('aria-pressed'), 'false')
  assert.deepEqual([...new Set(remote)], [`/v1/emails/${other}/preview`])
})

test('a fault of one domain is not shown at another', async () => {
  posthorn.mayLog(/status of 500/)
  const one = await create('/v1/domains', { name: 'one.example' })
  const other = await create('/v1/domains', { name: 'other.example' })
  const page = await posthorn.open(`/app/domains/${one}`)
  await page.route(`**/v1/domains/${one}/verify`, (route) =>
    route.fulfill({ status: 500, json: { error: 'internal_error', message: 'Something broke.' } }),
  )
  await page.getByRole('button', { name: 'Verify DNS' }).click()
  const fault = page.getByRole('alert').filter({ hasText: 'Something broke.' })
  await fault.waitFor()
  await goTo(page, other, 'other.example')
  assert.equal(await fault.count(), 0)
})

test('a name that is half typed for one sender is not there for another', async () => {
  const one = await create('/v1/sms/senders', { name: 'One', senderId: 'One' })
  const other = await create('/v1/sms/senders', { name: 'Other', senderId: 'Other' })
  const page = await posthorn.open(`/app/sms/senders/${one}`)
  await shows(page, 'One')
  await goTo(page, other, 'Other')
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit' })
  await dialog.getByLabel('Name').fill('Half typed')
  await page.goBack()
  await shows(page, 'One')
  await dialog.waitFor({ state: 'detached' })
})
