import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a light theme on a dark system is painted light before any script runs, and so it stays', async () => {
  const page = await posthorn.openSignedOut('/app/sign-in', { colorScheme: 'dark' })
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.getByRole('button', { name: 'Account menu' }).click()
  assert.equal(await ground(), 'rgb(23, 22, 19)')
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  assert.equal(await ground(), 'rgb(251, 250, 246)')
  await page.route('**/app/assets/*.js', (route) => route.abort())
  posthorn.mayLog(/ERR_FAILED/)
  await page.goto(`${posthorn.url}/app/emails`)
  assert.equal(await ground(), 'rgb(251, 250, 246)')
  await page.unroute('**/app/assets/*.js')
  await page.goto(`${posthorn.url}/app/emails`)
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  assert.equal(await ground(), 'rgb(251, 250, 246)')
  await page.getByRole('button', { name: 'Account menu' }).click()
  assert.equal(await page.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked'), 'true')
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  assert.equal(await ground(), 'rgb(23, 22, 19)')
})
