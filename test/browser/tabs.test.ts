import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const { email, password } = posthorn.account

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens two pages in two tabs of one browser, which is signed in. */
async function openTabs(first: string, second: string): Promise<[Page, Page]> {
  const one = await posthorn.openSignedOut(`/app/sign-in?next=${first}`)
  await signIn(one)
  await one.getByRole('button', { name: 'Account menu' }).waitFor()
  const other = await one.context().newPage()
  await other.goto(`${posthorn.url}/app${second}`)
  return [one, other]
}

async function enter(page: Page, team: string): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: team }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

async function createTeam(page: Page, name: string): Promise<void> {
  const headers = { origin: posthorn.url }
  const made = await page.request.post(`${posthorn.url}/auth/teams`, { headers, data: { name } })
  assert.ok(made.ok(), await made.text())
  await page.reload()
}

test('what is typed in one tab is not sent to the team that another tab enters, and is sent after going back', async () => {
  const [page, other] = await openTabs('/templates', '/suppressions')
  await createTeam(page, 'Second')
  await other.getByRole('button', { name: 'Add suppression' }).click()
  const form = other.getByRole('dialog', { name: 'Add suppression' })
  await form.getByLabel('Email').fill('ada@example.com')
  await enter(page, 'Second')
  const question = other.getByRole('dialog', { name: 'You are in Second now' })
  await question.waitFor()
  await checkAccessibility(other)
  // The form stands behind the question. A request that it makes waits for the answer.
  await form.getByRole('button', { name: 'Add', exact: true }).dispatchEvent('click')
  await question.getByRole('button', { name: 'Go back to Sandbox' }).click()
  await other.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  assert.equal((await posthorn.api('GET', '/v1/suppressions')).body.data.length, 1)
  // The tab that entered the other team is asked now.
  await page.getByRole('dialog', { name: 'You are in Sandbox now' }).waitFor()
  await page.getByRole('button', { name: 'Go back to Second' }).click()
  await other.getByRole('dialog', { name: 'You are in Second now' }).waitFor()
  const { data } = await (await page.request.get(`${posthorn.url}/v1/suppressions`)).json()
  assert.deepEqual(data, [])
})

test('a tab goes on in the team that another tab enters, and what was typed is there when its own team is entered again', async () => {
  const [page, other] = await openTabs('/templates', '/emails/new')
  await createTeam(page, 'Third')
  await other.getByLabel('Subject').fill('Half written')
  await enter(page, 'Third')
  await other.getByRole('button', { name: 'Go on in Third' }).click()
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await other.locator('.account-team', { hasText: 'Third' }).waitFor()
  await enter(other, 'Sandbox')
  await page.getByRole('dialog', { name: 'You are in Sandbox now' }).waitFor()
  await other.goto(`${posthorn.url}/app/emails/new`)
  await other.getByText('Draft kept').waitFor()
  assert.equal(await other.getByLabel('Subject').inputValue(), 'Half written')
})

test('signing out in one tab signs out in the others, which lead back to where they were', async () => {
  // The tab that holds the live stream may be refused before it hears that another has signed out.
  posthorn.mayLog(/status of 401/)
  await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com' })
  const [page, contacts] = await openTabs('/templates', '/contacts')
  await contacts.getByRole('cell', { name: 'ada@example.com' }).waitFor()
  const compose = await page.context().newPage()
  await compose.goto(`${posthorn.url}/app/emails/new`)
  await compose.getByLabel('Subject').fill('Half written')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [page, contacts, compose]) await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  const kept = await compose.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))
  assert.deepEqual(kept, [])
  await signIn(contacts)
  await contacts.getByRole('cell', { name: 'ada@example.com' }).waitFor()
})

test('a person in more teams than one answer holds goes back to the oldest, and finds all in the menu', async () => {
  const [page, other] = await openTabs('/templates', '/suppressions')
  await createTeam(page, 'Fourth')
  // The newest team alone is on the first page.
  await other.route(
    ({ pathname }) => pathname === '/auth/teams',
    (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '1')
      return route.continue({ url: url.href })
    },
  )
  await other.reload()
  await other.getByRole('button', { name: 'Account menu' }).click()
  for (const name of ['Fourth', 'Sandbox']) await other.getByRole('menuitemradio', { name, exact: true }).waitFor()
  await other.keyboard.press('Escape')
  await enter(page, 'Fourth')
  const question = other.getByRole('dialog', { name: 'You are in Fourth now' })
  await question.getByRole('button', { name: 'Go back to Sandbox' }).click()
  await question.waitFor({ state: 'detached' })
})
