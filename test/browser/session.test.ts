import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { endSession } from './end-session.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function signIn(path: string) {
  const page = await posthorn.openSignedOut(path)
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

test('a page that needs an account leads to signing in, and back', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await signIn('/app/emails?status=sent')
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  assert.match(page.url(), /\/app\/emails\?status=sent$/)
})

test('signing in leads nowhere outside the dashboard', async () => {
  const page = await signIn('/app/sign-in?next=https://evil.test/')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  assert.equal(new URL(page.url()).origin, posthorn.url)
})

test('Back after signing in does not lead to the form again', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/forgot')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
})

test('a wrong password is told, and what was typed stays', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/sign-in')
  await page.getByLabel('Email').fill('eve@example.com')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), 'eve@example.com')
})

test('an account is created, and signing out ends the session', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/sign-up')
  await checkAccessibility(page)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('Team name').fill('Analytical Engines')
  await page.getByLabel('Email').fill('ada@engines.test')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByText('ada@engines.test').waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto(`${posthorn.url}/app/emails`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('when a session ends, what was typed is kept and sent after signing in again', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await signIn('/app/sign-in?next=/app/suppressions')
  await page.getByRole('button', { name: 'Add suppression' }).click()
  await page.getByRole('dialog', { name: 'Add suppression' }).getByLabel('Email').fill('late@example.com')
  await endSession(page)
  // The dialog to sign in may stand over the button by then, since other requests of the page ask for it too.
  await page.getByRole('button', { name: 'Add', exact: true }).dispatchEvent('click')
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByLabel('Password').fill(posthorn.account.password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('cell', { name: 'late@example.com', exact: true }).waitFor()
})

test('a server that is gone is told, and found again by itself', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Search suppressions').fill('x')
  await page.getByText("can't be reached").waitFor()
  await page.context().setOffline(false)
  await page.getByText("can't be reached").waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Search suppressions').inputValue(), 'x')
})

test('the page that was asked for is opened after signing in, also by way of a new account and a forgotten password', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/emails?status=sent')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('link', { name: 'Sign in to an account' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  assert.match(page.url(), /\/app\/emails\?status=sent$/)
})
