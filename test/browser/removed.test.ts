import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { endSession } from './end-session.ts'
import { eventually } from './eventually.ts'
import { join, type Role } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })

/** Changes a member as the owner does. */
async function member(change: 'delete' | 'patch', role: Role, data?: object): Promise<void> {
  const owner = await posthorn.open('/app/settings/members')
  const members = await owner.request.get(`${posthorn.url}/v1/team/members`)
  const { userId } = (await members.json()).data.find(({ email }: { email: string }) => email === `${role}@example.com`)
  const headers = { origin: posthorn.url }
  const answer = await owner.request[change](`${posthorn.url}/v1/team/members/${userId}`, { headers, data })
  assert.ok(answer.ok(), await answer.text())
}

async function signInAgain(page: Page): Promise<void> {
  await again(page).getByLabel('Password').fill('correct horse battery staple')
  await again(page).getByRole('button', { name: 'Sign in' }).click()
}

test('a person who is removed from the team and signs in again is told so, and goes on in the own team', async () => {
  // The former team is entered in vain.
  posthorn.mayLog(/status of 40[14]/)
  const page = await join(posthorn, 'owner')
  await page.goto(`${posthorn.url}/app/templates/new`)
  await page.getByLabel('Name').fill('Half written')
  await member('delete', 'owner')
  await page.getByRole('button', { name: 'Save', exact: true }).dispatchEvent('click')
  await signInAgain(page)
  const told = page.getByRole('dialog', { name: 'You are not in Sandbox any more' })
  await told.waitFor()
  await checkAccessibility(page)
  await told.getByRole('button', { name: /^Go on in / }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.notEqual(await page.locator('.account-team').innerText(), 'Sandbox')
  const { data } = await (await page.request.get(`${posthorn.url}/v1/templates`)).json()
  assert.deepEqual(data, [], 'what was written for the former team is not saved in the other')
})

test('pages say by themselves that the session has ended, and all go on once one of them has signed in again', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await join(posthorn, 'admin')
  let asked = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/auth/me')) asked++
  })
  await page.goto(`${posthorn.url}/app/contacts`)
  // The page fetches everything once more after it has begun to hear changes. From then on it fetches nothing by
  // itself.
  await eventually(() => assert.equal(asked, 2))
  const other = await page.context().newPage()
  await other.goto(`${posthorn.url}/app/templates/new`)
  await other.getByLabel('Name').fill('Half written')
  await endSession(page)
  await again(page).waitFor()
  await again(other).waitFor()
  await signInAgain(page)
  await again(page).waitFor({ state: 'detached' })
  await again(other).waitFor({ state: 'detached' })
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.getByRole('heading', { level: 1, name: 'Half written' }).waitFor()
})

test('a person whose role is lowered while a dialog is open is told so, and what was typed is there when the role is back', async () => {
  const page = await join(posthorn, 'marketer')
  await page.goto(`${posthorn.url}/app/contacts`)
  await page.getByRole('button', { name: 'Add contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add contact' })
  await form.getByLabel('Email').fill('ada@example.com')
  await member('patch', 'marketer', { role: 'viewer' })
  await page.getByText('Your role in Sandbox is viewer now.').waitFor()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add contact' }).waitFor({ state: 'detached' })
  await member('patch', 'marketer', { role: 'marketer' })
  await page.getByText('Your role in Sandbox is marketer now.').waitFor()
  await page.getByRole('button', { name: 'Add contact' }).click()
  assert.equal(await form.getByLabel('Email').inputValue(), 'ada@example.com')
})

test('signing in again leads to the page Sign in too, and from there back to what was typed', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.open('/app/templates/new')
  await page.getByLabel('Name').fill('Half written')
  await endSession(page)
  await page.getByRole('button', { name: 'Save', exact: true }).dispatchEvent('click')
  await again(page).waitFor()
  await checkAccessibility(page)
  await again(page).getByRole('link', { name: 'Sign in another way' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Draft kept').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half written')
})
