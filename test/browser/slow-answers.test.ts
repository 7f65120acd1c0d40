import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Holds back the requests of a method to a path. Returns how to let them go on. */
async function hold(page: Page, method: string, path: string): Promise<(how: (route: Route) => Promise<void>) => void> {
  const { promise, resolve } = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(
    (url) => url.pathname.startsWith(path),
    async (route) => (route.request().method() === method ? (await promise)(route) : route.fallback()),
  )
  return resolve
}

async function followLink(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  await heading(page, name).waitFor()
}

async function compose(from: string): Promise<Page> {
  const page = await posthorn.open('/app/emails/new')
  await field(page, 'From').fill(from)
  await field(page, 'To').fill('ada@example.com')
  await field(page, 'Subject').fill('Hello')
  await field(page, 'Text').fill('Hello')
  return page
}

test('a person who goes on while an email is sent stays where they are and is told that it is sent', async () => {
  const page = await compose('hello@sandbox.test')
  const letGo = await hold(page, 'POST', '/v1/emails')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await followLink(page, 'Segments')
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  await field(page, 'Name').fill('Readers')
  letGo((route) => route.continue())
  await page.getByText('The email is sent').waitFor()
  assert.equal(await field(page, 'Name').inputValue(), 'Readers')
  assert.equal(new URL(page.url()).pathname, '/app/segments')
})

test('a person who goes on while an email is sent is told that it was refused', async () => {
  posthorn.mayLog(/status of 403/)
  const page = await compose('hello@elsewhere.test')
  const letGo = await hold(page, 'POST', '/v1/emails')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await followLink(page, 'Segments')
  letGo((route) => route.continue())
  await page.getByRole('alert').getByText('Compose: elsewhere.test is not a verified domain').waitFor()
})

test('a person who closes a question while the request is under way is told that it failed', async () => {
  posthorn.mayLog(/status of 500/)
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Kept' })).body
  const page = await posthorn.open(`/app/segments/${id}`)
  await page.getByRole('button', { name: 'Delete Kept' }).click()
  const letGo = await hold(page, 'DELETE', '/v1/segments')
  const question = page.getByRole('dialog', { name: 'Delete Kept?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  letGo((route) => route.fulfill({ status: 500, json: { message: 'The disk is full.' } }))
  await page.getByRole('alert').getByText('Delete Kept: The disk is full.').waitFor()
})
