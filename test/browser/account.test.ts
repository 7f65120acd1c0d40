import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'

import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const { email, password } = posthorn.account
const newPassword = 'a quite different battery'

async function signIn(path: string, secret = password): Promise<Page> {
  const page = await posthorn.openSignedOut(`/app/sign-in?next=${path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

test('the name is changed, and shown in the account menu as text', async () => {
  const page = await posthorn.open('/app/settings/account')
  const hostile = '<img src=x onerror=alert(1)>'
  await page.getByLabel('Name').fill(hostile)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('status').filter({ hasText: 'Your name is saved' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByText(hostile).waitFor()
  await page.keyboard.press('Escape')
  await checkAccessibility(page)
})

test('another session is listed, and signed out by a button', async () => {
  posthorn.mayLog(/status of 401/)
  const other = await signIn('/settings/security')
  await other.getByText('This session').waitFor()
  const page = await posthorn.open('/app/settings/security')
  await page.getByRole('table', { name: 'Sessions' }).waitFor()
  await checkAccessibility(page)
  const before = await page.getByRole('button', { name: /^Sign out / }).count()
  await page
    .getByRole('button', { name: /^Sign out / })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'is signed out' }).waitFor()
  await page
    .getByRole('button', { name: /^Sign out / })
    .nth(before - 1)
    .waitFor({ state: 'detached' })
})

test('a wrong password is told at its field, and a changed one signs in', async () => {
  posthorn.mayLog(/status of 40[01]/)
  const page = await signIn('/settings/account')
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Current password').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('status').filter({ hasText: 'Your password is changed' }).waitFor()
  const again = await signIn('/settings/account', newPassword)
  await again.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
})

test('two-factor is turned on with a QR code or a secret, gives recovery codes, and is turned off', async () => {
  posthorn.mayLog(/status of 40[01]/)
  const page = await signIn('/settings/security', newPassword)
  await page.getByRole('button', { name: 'Turn on two-factor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor' })
  await dialog.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await checkAccessibility(page)
  await dialog.getByLabel('Authentication code').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Authentication code').fill(new TOTP({ secret }).generate())
  await dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
  const [code] = await readCodes(page)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  const replace = page.getByRole('dialog', { name: 'New recovery codes' })
  await replace.getByLabel('Authentication code').fill(code!)
  await replace.getByRole('button', { name: 'Replace' }).click()
  const [fresh] = await readCodes(page)
  assert.notEqual(fresh, code)
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-factor' })
  await checkAccessibility(page)
  await off.getByLabel('Authentication code').fill(fresh!)
  await off.getByRole('button', { name: 'Turn off', exact: true }).click()
  await page.getByRole('button', { name: 'Turn on two-factor' }).waitFor()
})

async function readCodes(page: Page): Promise<string[]> {
  const list: Locator = page.getByRole('list', { name: 'Recovery codes' })
  await list.getByRole('listitem').nth(9).waitFor()
  const codes = await list.getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Done' }).click()
  return codes
}
