import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard({ SIGNUP: 'closed' })
const password = 'correct horse battery staple'

test('where sign-up is closed no new team is offered', async () => {
  const page = await posthorn.open('/app/settings')
  await page.getByRole('table', { name: 'Your teams' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: /^Delete / }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New team' }).count(), 0)
})

test('where sign-up is closed a person in no team joins one by an invitation and the password', async () => {
  posthorn.mayLog(/status of 40[13]/)
  const page = await join(posthorn, 'viewer')
  await page.goto(`${posthorn.url}/app/settings/members`)
  await page.getByRole('button', { name: /^Leave / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill('viewer@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'an invitation to a team' }).waitFor()

  const owner = await posthorn.open('/app/settings/members')
  const data = { email: 'viewer@example.com', role: 'viewer' }
  const invited = await owner.request.post(`${posthorn.url}/v1/team/invitations`, {
    headers: { origin: posthorn.url },
    data,
  })
  const { pathname, hash } = new URL((await invited.json()).url)
  await page.goto(posthorn.url + pathname + hash)
  await page.getByRole('button', { name: 'The account is in no team' }).click()
  await checkAccessibility(page)
  await page.getByLabel('Password').fill('a wrong password')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})
