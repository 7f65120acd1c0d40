import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a browser at the root is led to the dashboard', async () => {
  const page = await posthorn.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.match(page.url(), /\/app(\/|$)/)
})

test('the link of the first start works once', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut(`/app/start${new URL(posthorn.startLink).hash}`)
  await page.getByRole('alert').waitFor()
})

test('signing in is accessible', async () => {
  const page = await posthorn.openSignedOut('/app/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await checkAccessibility(page)
})

test('a path without a page is told so', async () => {
  posthorn.mayLog(/status of 404/)
  const page = await posthorn.open('/app/no/such/page')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})
