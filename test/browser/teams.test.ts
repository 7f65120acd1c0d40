import { test } from 'node:test'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a team is created, entered and deleted to the end, and the person signs in to the first one', async () => {
  const page = await posthorn.openSignedOut('/app/sign-in?next=/settings')
  const signIn = async () => {
    await page.getByLabel('Email').fill(posthorn.account.email)
    await page.getByLabel('Password').fill(posthorn.account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn()
  await page.getByRole('button', { name: 'New team' }).click()
  const form = page.getByRole('dialog', { name: 'New team' })
  await form.getByLabel('Name').fill('Second')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Switch to Second' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Second' }).click()
  await page.getByRole('menu', { name: 'Account menu' }).waitFor({ state: 'hidden' })
  await page.goto(`${posthorn.url}/app/settings`)
  await page.getByRole('button', { name: 'Delete Second' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Second?' })
  await question.getByLabel('Name of the team').fill('Second')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signIn()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goto(`${posthorn.url}/app/settings`)
  const teams = page.getByRole('table', { name: 'Your teams' })
  await teams.getByRole('row').nth(1).waitFor()
  await teams.getByRole('cell', { name: 'Second', exact: true }).waitFor({ state: 'detached' })
})

test('a member leaves the team, is signed out, and is no longer listed', async () => {
  const page = await join(posthorn, 'viewer')
  const owner = await posthorn.open('/app/settings/members')
  const row = owner.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'viewer@example.com' })
  await row.waitFor()
  await page.goto(`${posthorn.url}/app/settings/members`)
  await page.getByRole('button', { name: /^Leave / }).click()
  await page
    .getByRole('dialog', { name: /^Leave / })
    .getByRole('button', { name: 'Leave', exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await owner.reload()
  await owner.getByRole('table', { name: 'Members' }).getByRole('row').nth(1).waitFor()
  await row.waitFor({ state: 'detached' })
})
