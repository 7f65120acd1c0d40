import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { tokenOfLink } from '../link-token.ts'
import { checkAccessibility } from './axe.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const password = 'correct horse battery staple'

/** Invites an address as the owner. Returns the path of its link, and the invitation's id. */
async function invite(email: string): Promise<{ id: string; path: string }> {
  const owner = await posthorn.open('/app/settings/members')
  const headers = { origin: posthorn.url }
  const answer = await owner.request.post(`${posthorn.url}/v1/team/invitations`, {
    headers,
    data: { email, role: 'viewer' },
  })
  assert.ok(answer.ok(), await answer.text())
  const { id, url } = await answer.json()
  const { pathname, hash } = new URL(url)
  return { id, path: pathname + hash }
}

async function isValid(path: string): Promise<boolean> {
  const token = tokenOfLink(posthorn.url + path)
  return (await fetch(`${posthorn.url}/auth/invitations/${token}`)).ok
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out and continue' })

async function expectMember(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByText(email).waitFor()
}

test('a browser of somebody else says so, keeps the invitation, and leads to the invited account', async () => {
  posthorn.mayLog(/status of 40[01]/)
  const email = 'known@example.com'
  const signedUp = await fetch(`${posthorn.url}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.ok(signedUp.ok, await signedUp.text())
  const { path } = await invite(email)
  const page = await join(posthorn, 'viewer')
  await page.goto(posthorn.url + path)
  await page.getByText('You are signed in as viewer@example.com.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Join' }).count(), 0)
  await checkAccessibility(page)
  assert.equal(await isValid(path), true)

  await signOut(page).click()
  await page.getByLabel('Email').fill(email)
  assert.equal(await isValid(path), true)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await expectMember(page, email)

  await page.goto(posthorn.url + path)
  await page.getByRole('alert').getByText('already used').waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'Go to Posthorn' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a new address is invited in a browser of somebody else, who signs out and lets it join', async () => {
  const { path } = await invite('new@example.com')
  const page = await join(posthorn, 'marketer')
  await page.goto(posthorn.url + path)
  await page.getByText('You are signed in as marketer@example.com.').waitFor()
  await signOut(page).click()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await expectMember(page, 'new@example.com')
})

test('an invitation that is withdrawn while it is open is refused in words, and so is a second opening', async () => {
  posthorn.mayLog(/status of 400/)
  const { id, path } = await invite('withdrawn@example.com')
  const page = await posthorn.openSignedOut(path)
  await page.getByLabel('Password').fill(password)
  const owner = await posthorn.open('/app/settings/members')
  const headers = { origin: posthorn.url }
  const answer = await owner.request.delete(`${posthorn.url}/v1/team/invitations/${id}`, { headers })
  assert.ok(answer.ok(), await answer.text())
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').getByText('already used, has expired or does not exist').waitFor()
  await page.reload()
  await page.getByRole('alert').getByText('already used, has expired or does not exist').waitFor()
})
