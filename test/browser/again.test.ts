import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { endSession } from './end-session.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const { email, password } = posthorn.account

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const confirm = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' })

/** Clicks a button. The dialog may stand over it by then, since other requests of the page ask for it too. */
const click = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true }).dispatchEvent('click')

async function signIn(path: string, code?: string): Promise<Page> {
  const page = await posthorn.openSignedOut(`/app/sign-in?next=${path}`)
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  if (code !== undefined) {
    await field(page, 'Authentication code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  return page
}

async function signInAgain(page: Page, code?: string): Promise<void> {
  await again(page).getByLabel('Password').fill(password)
  await again(page).getByRole('button', { name: 'Sign in' }).click()
  if (code !== undefined) {
    await again(page).getByLabel('Authentication code').fill(code)
    await again(page).getByRole('button', { name: 'Sign in' }).click()
  }
  await again(page).waitFor({ state: 'detached' })
}

test('what was typed is forgotten a day after the session ended, and until then is there after signing in', async () => {
  posthorn.mayLog(/status of 401/)
  for (const [hours, kept] of [
    [23, 'Half written'],
    [24, ''],
  ] as const) {
    const page = await signIn('/emails/new')
    await field(page, 'Subject').fill('Half written')
    await endSession(page)
    await page.goto(`${posthorn.url}/app/sign-in?next=/emails/new`)
    await field(page, 'Password').waitFor()
    await page.clock.setSystemTime(Date.now() + hours * 3_600_000)
    await page.reload()
    await field(page, 'Email').fill(email)
    await field(page, 'Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Compose').waitFor()
    await eventually(async () => assert.equal(await field(page, 'Subject').inputValue(), kept))
    await page.close()
  }
})

test('a session that ends while an email is written is opened again, and the email is sent', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await signIn('/emails/new')
  await field(page, 'From').fill('hello@sandbox.test')
  await field(page, 'To').fill('ada@example.com')
  await field(page, 'Subject').fill('Written before')
  await field(page, 'Text').fill('Hello')
  await endSession(page)
  await click(page, 'Send')
  await again(page).getByLabel('Password').fill('not the password')
  await checkAccessibility(page)
  await again(page).getByRole('button', { name: 'Sign in' }).click()
  await again(page).getByRole('alert').waitFor()
  assert.equal(await field(page, 'Subject').inputValue(), 'Written before')
  await signInAgain(page)
  await heading(page, 'Written before').waitFor()
  const { data } = (await posthorn.api('GET', '/v1/emails')).body
  assert.equal(data.filter(({ subject }: { subject: string }) => subject === 'Written before').length, 1)
})

test('a session that ends while a template is written is opened again, and the template is saved', async () => {
  posthorn.mayLog(/status of 401/)
  const { id } = (await posthorn.api('POST', '/v1/templates', { name: 'Welcome', text: 'Hi' })).body
  const page = await signIn(`/templates/${id}`)
  await field(page, 'Text').fill('Written before')
  await endSession(page)
  await click(page, 'Save')
  await signInAgain(page)
  await eventually(async () => {
    assert.equal((await posthorn.api('GET', `/v1/templates/${id}`)).body.text, 'Written before')
  })
})

test('a session that ends while a workflow is drawn is opened again, and the workflow is saved', async () => {
  posthorn.mayLog(/status of 401/)
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Hello' })).body
  await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes: [{ id: 'start', type: 'manual' }], connections: [] })
  const page = await signIn(`/workflows/${id}?step=start`)
  await field(page, 'Name').fill('Drawn before')
  await endSession(page)
  await click(page, 'Save')
  await signInAgain(page)
  await eventually(async () => {
    assert.equal((await posthorn.api('GET', `/v1/workflows/${id}`)).body.nodes[0].name, 'Drawn before')
  })
})

test('a refusal that arrives after signing in again does not ask again', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await signIn('/templates')
  const refused = Promise.withResolvers<void>()
  const signedIn = Promise.withResolvers<void>()
  await page.route('**/v1/domains?*', async (route) => {
    const answer = await route.fetch()
    refused.resolve()
    await signedIn.promise
    await route.fulfill({ response: answer })
  })
  await endSession(page)
  // Its list is refused at once, and the domains of its filter late.
  await page.getByRole('link', { name: 'Emails' }).dispatchEvent('click')
  await refused.promise
  await signInAgain(page)
  signedIn.resolve()
  await page.getByLabel('Domain').getByRole('option', { name: 'sandbox.test' }).waitFor({ state: 'attached' })
})

test('signing in again leads back to the team whose page is open', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await signIn('/templates')
  const headers = { origin: posthorn.url }
  const made = await page.request.post(`${posthorn.url}/auth/teams`, { headers, data: { name: 'Second' } })
  const team = await made.json()
  assert.ok(made.ok(), JSON.stringify(team))
  await page.request.post(`${posthorn.url}/auth/switch`, { headers, data: { teamId: team.id } })
  await page.goto(`${posthorn.url}/app/templates/new`)
  await field(page, 'Name').fill('Of the second team')
  await endSession(page)
  await click(page, 'Save')
  await signInAgain(page)
  await heading(page, 'Of the second team').waitFor()
  const me = await (await page.request.get(`${posthorn.url}/auth/me`)).json()
  assert.equal(me.team.id, team.id)
  const { data } = (await posthorn.api('GET', '/v1/templates')).body
  assert.equal(data.filter(({ name }: { name: string }) => name === 'Of the second team').length, 0)
})

// The API asks again 15 minutes after the last password or code.
test('an old login is asked for the password, and the key is created as it was typed', async () => {
  posthorn.mayLog(/status of 40[03]/)
  const page = await signIn('/api-keys')
  await posthorn.ageLogins()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Late')
  await form.getByLabel('Full access').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page).getByLabel('Password').fill('not the password')
  await checkAccessibility(page)
  await confirm(page).getByRole('button', { name: 'Confirm' }).click()
  await confirm(page).getByRole('alert').waitFor()
  // Without the password nothing is created, and what was typed stays.
  await confirm(page).getByRole('button', { name: 'Back' }).click()
  await form.getByRole('alert').getByText('This needs your password').waitFor()
  assert.equal(await form.getByLabel('Name').inputValue(), 'Late')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page).getByLabel('Password').fill(password)
  await confirm(page).getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'Save your API key' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'Late', exact: true }).waitFor()
})

test('a session that ends while the password is asked for leads to signing in again', async () => {
  posthorn.mayLog(/status of 40[13]/)
  const page = await signIn('/api-keys')
  await posthorn.ageLogins()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Later')
  await form.getByLabel('Full access').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page).getByLabel('Password').fill(password)
  await endSession(page)
  await confirm(page).getByRole('button', { name: 'Confirm' }).click()
  await signInAgain(page)
  await page.getByRole('dialog', { name: 'Save your API key' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'Later', exact: true }).waitFor()
})

test('an old login is asked for the password before a team is deleted', async () => {
  posthorn.mayLog(/status of 40[13]/)
  const page = await signIn('/templates')
  const headers = { origin: posthorn.url }
  const made = await page.request.post(`${posthorn.url}/auth/teams`, { headers, data: { name: 'Third' } })
  await page.request.post(`${posthorn.url}/auth/switch`, { headers, data: { teamId: (await made.json()).id } })
  await posthorn.ageLogins()
  await page.goto(`${posthorn.url}/app/settings`)
  await page.getByRole('button', { name: 'Delete Third' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Third?' })
  await question.getByRole('textbox').fill('Third')
  await question.getByRole('button', { name: /^Delete/ }).click()
  await confirm(page).getByLabel('Password').fill(password)
  await confirm(page).getByRole('button', { name: 'Confirm' }).click()
  await heading(page, 'Sign in').waitFor()
})

test('an old login is asked before two-factor is turned on, and with two-factor also for a code', async () => {
  posthorn.mayLog(/status of 40[013]/)
  const page = await signIn('/settings/security')
  await posthorn.ageLogins()
  await page.getByRole('button', { name: 'Turn on two-factor' }).click()
  await confirm(page).getByLabel('Password').fill(password)
  await confirm(page).getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor' })
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await dialog.getByLabel('Authentication code').fill(new TOTP({ secret }).generate())
  await dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.getByRole('listitem').nth(9).waitFor()
  // Recovery codes work once each, at any time; a code of the app would have to be a new one.
  const codes = await list.getByRole('listitem').allInnerTexts()

  const other = await signIn('/api-keys', codes[0]!)
  await posthorn.ageLogins()
  await other.getByRole('button', { name: 'Create API key' }).click()
  const form = other.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('By code')
  await form.getByLabel('Full access').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(other).getByRole('button', { name: 'Use an authentication code' }).click()
  await confirm(other).getByLabel('Authentication code').fill('000000')
  await confirm(other).getByRole('button', { name: 'Confirm' }).click()
  await confirm(other).getByRole('alert').waitFor()
  await confirm(other).getByLabel('Authentication code').fill(codes[1]!)
  await confirm(other).getByRole('button', { name: 'Confirm' }).click()
  await other.getByRole('dialog', { name: 'Save your API key' }).getByRole('button', { name: 'Done' }).click()
  await other.getByRole('cell', { name: 'By code', exact: true }).waitFor()

  await other.goto(`${posthorn.url}/app/templates/new`)
  await field(other, 'Name').fill('After the code')
  await endSession(other)
  await click(other, 'Save')
  await signInAgain(other, codes[2]!)
  await heading(other, 'After the code').waitFor()
})
