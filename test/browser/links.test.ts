import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, afterEach, test } from 'node:test'
import { makeDataFolder } from '../data-folder.ts'
import { patienceMs } from '../patience.ts'
import { startServer } from '../server-process.ts'
import { checkAccessibility } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { eventually } from './eventually.ts'
import { collectFaults } from './faults.ts'

const dataDir = makeDataFolder('links')
const first = await startServer({ DATA_DIR: dataDir })
const [, email, ownerPassword] = /account +(\S+) +password +(\S+)/.exec(first.output())!
const { body: before } = await call(first.url, 'POST', '/auth/login', { email, password: ownerPassword })
await first.stop()
// The second start knows the id of the team that sends the mail of the installation.
const [server, browser] = await Promise.all([
  startServer({ DATA_DIR: dataDir, SYSTEM_FROM: 'Posthorn <system@sandbox.test>', SYSTEM_TEAM: before.team.id }),
  launchChromium(),
])
const { body: owner } = await call(server.url, 'POST', '/auth/login', { email, password: ownerPassword })
const faults: string[] = []
const password = 'correct horse battery'

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  assert.deepEqual(faults.splice(0), [], 'A page wrote to the console, failed or left its origin.')
})
after(async () => {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(url: string, method: string, path: string, content?: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url + path, { method, headers, ...(content && { body: JSON.stringify(content) }) })
  return { status: answer.status, body: await answer.json() }
}

/** Waits for a mail to an address and returns the link of a page in it. */
async function linkTo(page: string, to: string): Promise<string> {
  let link = ''
  await eventually(async () => {
    const { body } = await call(server.url, 'GET', '/v1/inbox?limit=100', undefined, owner.accessToken)
    for (const { id, ...mail } of body.data) {
      if (!JSON.stringify(mail).includes(to)) continue
      const { body: whole } = await call(server.url, 'GET', `/v1/inbox/${id}`, undefined, owner.accessToken)
      link ||= new RegExp(`http\\S+/app/${page}#token=[\\w-]+`).exec(whole.text)?.[0] ?? ''
    }
    assert.ok(link, `no mail with a link to ${page}`)
  })
  return link
}

async function open(link: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  context.setDefaultTimeout(patienceMs)
  const found = collectFaults(context, server.url, [/status of 40[01]/])
  context.on('close', () => void faults.push(...found))
  const page = await context.newPage()
  const { pathname, search, hash } = new URL(link)
  await page.goto(server.url + pathname + search + hash)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const signUp = (to: string) => call(server.url, 'POST', '/auth/signup', { email: to, password })
const logIn = (to: string, chosen: string) => call(server.url, 'POST', '/auth/login', { email: to, password: chosen })

test('the link that the first start prints leads in when it is opened, and once', async () => {
  const page = await open(/http\S+\/app\/start#\S+/.exec(first.output())![0])
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const again = await open(/http\S+\/app\/start#\S+/.exec(first.output())![0])
  await again.getByRole('alert').getByText('already used').waitFor()
  await again.getByRole('link', { name: 'Sign in' }).click()
  await again.getByLabel('Password').waitFor()
})

test('the mailed link confirms an address by its button, and not by being opened', async () => {
  const { body: ada } = await signUp('ada@example.com')
  const page = await open(await linkTo('verify', 'ada@example.com'))
  const isVerified = async () =>
    (await call(server.url, 'GET', '/auth/me', undefined, ada.accessToken)).body.user.emailVerified
  const button = page.getByRole('button', { name: 'Confirm address' })
  await button.waitFor()
  assert.match(page.url(), /\/app\/verify#token=[\w-]+$/, 'a reload sends the token to no server')
  await checkAccessibility(page)
  assert.equal(await isVerified(), false)
  await page.reload()
  await button.click()
  await page.getByRole('status').getByText('confirmed').waitFor()
  assert.equal(await isVerified(), true)
})

test('the mailed link sets a new password once', async () => {
  await signUp('grace@example.com')
  await call(server.url, 'POST', '/auth/password/forgot', { email: 'grace@example.com' })
  const link = await linkTo('reset', 'grace@example.com')
  const page = await open(link)
  const field = page.getByLabel('New password')
  await field.fill('password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('most common').waitFor()
  assert.ok(!page.url().includes('?'))
  await checkAccessibility(page)
  await field.fill('another winding road')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('The new password is set').waitFor()
  assert.equal((await logIn('grace@example.com', 'another winding road')).status, 200)
  const again = await open(link)
  await again.getByLabel('New password').fill('a third winding road')
  await again.getByRole('button', { name: 'Set password' }).click()
  await again.getByRole('alert').getByText('already used').waitFor()
})

test('a link of an earlier version, with its token in the query, still works, and another one in its tab takes its place', async () => {
  const { body: alan } = await signUp('alan@example.com')
  const { body: edith } = await signUp('edith@example.com')
  const [first, second] = [await linkTo('verify', 'alan@example.com'), await linkTo('verify', 'edith@example.com')]
  const isVerified = async ({ accessToken }: { accessToken: string }) =>
    (await call(server.url, 'GET', '/auth/me', undefined, accessToken)).body.user.emailVerified
  const page = await open(first.replace('#', '?'))
  await page.waitForURL(/\/app\/verify#token=/)
  const loaded = page.waitForEvent('load')
  await page.goto(server.url + new URL(second).pathname + new URL(second).hash)
  await loaded
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByRole('status').getByText('confirmed').waitFor()
  assert.deepEqual([await isVerified(alan), await isVerified(edith)], [false, true])
  const older = await open(first.replace('#', '?'))
  await older.getByRole('button', { name: 'Confirm address' }).click()
  await older.getByRole('status').getByText('confirmed').waitFor()
  assert.equal(await isVerified(alan), true)
})

test('the mailed link of an invitation joins with a new account', async () => {
  await call(
    server.url,
    'POST',
    '/v1/team/invitations',
    { email: 'new@example.com', role: 'viewer' },
    owner.accessToken,
  )
  const page = await open(await linkTo('invitation', 'new@example.com'))
  await page.getByText('new@example.com is invited as viewer').waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Name').fill('Nell')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  assert.equal((await logIn('new@example.com', password)).body.user.name, 'Nell')
})

test('a person with an account signs in on the way to an invitation, and no address holds the token', async () => {
  await signUp('known@example.com')
  await call(
    server.url,
    'POST',
    '/v1/team/invitations',
    { email: 'known@example.com', role: 'viewer' },
    owner.accessToken,
  )
  const page = await open(await linkTo('invitation', 'known@example.com'))
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill('known@example.com')
  assert.doesNotMatch(page.url(), /token/)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  assert.deepEqual(
    asked.filter((url) => /[?&]token=/.test(url)),
    [],
  )
})

test('the dialog of an invitation gives the link, and says what to do where no mail arrives', async () => {
  const invitation = { email: 'often@example.com', role: 'viewer' }
  // The fourth mail in an hour to an address is not sent.
  for (let time = 0; time < 3; time++) {
    assert.equal((await call(server.url, 'POST', '/v1/team/invitations', invitation, owner.accessToken)).status, 200)
  }
  const page = await open(`${server.url}/app/sign-in?next=/settings/members`)
  await page.getByLabel('Email').fill(email!)
  await page.getByLabel('Password').fill(ownerPassword!)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(`${server.url}/app/settings/members`)
  await page.getByRole('button', { name: 'Invite member' }).click()
  const form = page.getByRole('dialog', { name: 'Invite member' })
  await form.getByLabel('Email').fill(invitation.email)
  await form.getByRole('button', { name: 'Send invitation' }).click()
  const sent = page.getByRole('dialog', { name: 'Invitation sent' })
  await sent.getByText('should get a link by mail as well. If none arrives, give this one').waitFor()
  assert.match(await sent.getByLabel('Invitation link').inputValue(), /\/app\/invitation#token=/)
  await checkAccessibility(page)
})
