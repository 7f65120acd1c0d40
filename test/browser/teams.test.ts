import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a team is created, entered and deleted to the end, and the person signs in to the first one', async () => {
  posthorn.mayLog(/status of 401/)
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
  await page.getByRole('button', { name: 'Switch to Second' }).waitFor()
  const shown = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/v1/emails')
  await page.goto(`${posthorn.url}/app`)
  await shown
  await page.getByRole('button', { name: 'Account menu' }).click()
  const loadedAgain = page.waitForEvent('load')
  await page.getByRole('menuitemradio', { name: 'Second' }).click()
  await loadedAgain
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Second', checked: true }).click()
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
  posthorn.mayLog(/status of 401/)
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

test('the API keys of a member who is removed are offered to be ended, with the password where the login is old', async () => {
  const admin = await join(posthorn, 'admin')
  for (const name of ['Backup', 'Shop']) {
    await admin.goto(`${posthorn.url}/app/api-keys`)
    await admin.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  // The removal ends the login of this page, and then its stream is refused, which the browser logs.
  await admin.close()
  const page = await posthorn.open('/app/settings/members')
  await posthorn.ageLogins()
  posthorn.mayLog(/status of 403/)
  await page.getByRole('button', { name: 'Remove admin@example.com' }).click()
  const question = page.getByRole('dialog', { name: 'Remove admin@example.com?' })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Confirm your password' })
  await again.getByLabel('Password').fill(posthorn.account.password)
  await again.getByRole('button', { name: 'Confirm' }).click()
  const keys = page.getByRole('dialog', { name: 'API keys of admin@example.com' })
  await keys.getByText('Sending access').first().waitFor()
  await keys.getByRole('checkbox', { name: 'Backup', checked: false }).check()
  await checkAccessibility(page)
  await keys.getByRole('button', { name: 'End 1 key' }).click()
  await keys.waitFor({ state: 'detached' })
  await page.goto(`${posthorn.url}/app/api-keys`)
  await page.getByRole('cell', { name: 'Shop', exact: true }).waitFor()
  await page.getByRole('cell', { name: 'Backup', exact: true }).waitFor({ state: 'detached' })
})
