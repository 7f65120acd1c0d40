import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'

import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
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

test('two-factor is turned on with a QR code or a secret, gives recovery codes that Back does not take away, and is turned off', async () => {
  posthorn.mayLog(/status of 40[01]/)
  const page = await signIn('/settings/account', newPassword)
  // Back then leads to a page, and not out of the dashboard.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Security', exact: true }).click()
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
  await page.evaluate(() => {
    document.body.removeAttribute('data-at')
    addEventListener('popstate', () => document.body.setAttribute('data-at', location.pathname))
    history.back()
  })
  // The browser has gone back by then, and the page forward again.
  const at = () => page.evaluate(() => document.body.dataset.at)
  await eventually(async () => assert.equal(await at(), '/app/settings/security'))
  await page.getByRole('button', { name: 'Done' }).click()
  return codes
}

test('an account is deleted with the team in which the person is alone, after the password', async () => {
  posthorn.mayLog(/status of 40[139]/)
  const page = await posthorn.openSignedOut('/app/sign-in?next=/settings/account')
  const person = { email: 'ada@example.com', password: 'correct horse battery staple', teamName: 'Engines' }
  assert.ok((await page.request.post(`${posthorn.url}/auth/signup`, { data: person })).ok())
  const signInAgain = async () => {
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signInAgain()
  await page.getByText('The address can be changed once this server sends mail of its own.').waitFor()
  await posthorn.ageLogins()
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account?' })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Confirm your password' })
  await again.getByLabel('Password').fill(person.password)
  await again.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'only owner of "Engines"' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Also delete Engines' }).check()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signInAgain()
  await page.getByRole('alert').waitFor()
})

test('a link to a new address that was used asks before it does anything, and then says so', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.openSignedOut(`/app/address#token=${'x'.repeat(43)}`)
  await page.getByText('Do this only if the account that the mail names is yours.').waitFor()
  await page.getByRole('button', { name: 'Use this address' }).click()
  await page.getByRole('alert').filter({ hasText: 'already used' }).waitFor()
  await checkAccessibility(page)
})
