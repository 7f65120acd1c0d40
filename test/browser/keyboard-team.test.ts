import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { tokenOfLink } from '../link-token.ts'
import { eventually } from './eventually.ts'
import { keyboardOf } from './keyboard.ts'
import { openDashboard } from './open.ts'

const certificate = fileURLToPath(new URL('../../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))
const posthorn = await openDashboard({ NODE_EXTRA_CA_CERTS: certificate, OUTBOUND_ALLOW: '127.0.0.0/8' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function open(path = '') {
  const page = await posthorn.open(`/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, keys: keyboardOf(page) }
}

test('a webhook is added, tested and replayed by keyboard alone', async () => {
  const receiver = await startReceiver()
  const { page, keys } = await open()
  await keys.go('h')
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Add webhook' }).first())
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await keys.type(form.getByLabel('Endpoint URL'), receiver.url)
  await keys.press(form.getByRole('checkbox', { name: 'email.bounced' }), 'Space')
  await keys.press(form.getByRole('checkbox', { name: 'Include test events' }), 'Space')
  await keys.press(form.getByRole('button', { name: 'Add', exact: true }))
  await keys.press(page.getByRole('dialog', { name: 'Save the signing secret' }).getByRole('button', { name: 'Done' }))
  await keys.press(page.getByRole('link', { name: receiver.url }))
  await keys.press(page.getByRole('button', { name: 'Send a test event' }))
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByRole('cell', { name: 'Delivered' }).waitFor()
  await keys.press(deliveries.getByRole('link', { name: 'email.bounced' }))
  await heading(page, 'Delivery')
  await keys.press(page.getByRole('button', { name: 'Replay' }))
  await receiver.until(2)
})

test('a domain is added and a record copied by keyboard alone', async () => {
  const { page, keys } = await open()
  await keys.go('d')
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Add domain' }).first())
  await page.getByRole('dialog', { name: 'Add domain' }).getByLabel('Domain name').waitFor()
  await page.keyboard.type('shop.example')
  await page.keyboard.press('Enter')
  await heading(page, 'shop.example')
  const records = page.getByRole('table', { name: 'DNS records' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await keys.press(records.getByRole('button', { name: 'Copy name' }).first())
  await page.getByRole('status').getByText('Copied').waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /shop\.example$/)
  await keys.press(page.getByRole('button', { name: 'Verify DNS' }))
  await records.getByText('Found in DNS').first().waitFor()
})

test('a key is created, kept on screen until Done, and revoked by keyboard alone', async () => {
  const { page, keys } = await open()
  await keys.go('k')
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Create API key' }).first())
  await page.getByRole('dialog', { name: 'Create API key' }).getByLabel('Name').waitFor()
  await page.keyboard.type('Shop')
  await page.keyboard.press('Enter')
  const saved = page.getByRole('dialog', { name: 'Save your API key' })
  await saved.waitFor()
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await keys.press(saved.getByRole('button', { name: 'Done' }))
  await saved.waitFor({ state: 'detached' })
  await keys.press(page.getByRole('button', { name: 'Revoke Shop' }))
  const question = page.getByRole('dialog', { name: 'Revoke Shop?' })
  await keys.press(question.getByRole('button', { name: 'Revoke', exact: true }))
  await page.getByRole('button', { name: 'Revoke Shop' }).waitFor({ state: 'detached' })
})

test('a period is chosen, a figure stepped over and shown as a table by keyboard alone', async () => {
  const { page, keys } = await open('/metrics')
  await keys.choose(page.getByLabel('Period'), 'Last 24 hours')
  await eventually(() => assert.match(page.url(), /period=24h/))
  const figure = page.getByRole('figure', { name: 'Emails over time' })
  const plot = figure.getByRole('slider')
  await keys.press(plot, 'End')
  const last = await plot.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await eventually(async () => assert.notEqual(await plot.getAttribute('aria-valuetext'), last))
  await keys.press(figure.getByRole('button', { name: 'Show as table' }))
  await figure.getByRole('table').waitFor()
})

test('a member is invited, and the logs are filtered by keyboard alone', async () => {
  const { page, keys } = await open('/settings/members')
  await keys.press(page.getByRole('button', { name: 'Invite member' }))
  const form = page.getByRole('dialog', { name: 'Invite member' })
  await keys.type(form.getByLabel('Email'), 'grace@example.com')
  await keys.choose(form.getByLabel('Role'), 'Viewer')
  await keys.press(form.getByRole('button', { name: 'Send invitation' }))
  await keys.press(page.getByRole('dialog', { name: 'Invitation sent' }).getByRole('button', { name: 'Done' }))
  await page.getByRole('table', { name: 'Open invitations' }).getByText('grace@example.com').waitFor()

  await keys.goTo(`${posthorn.url}/app/settings/audit`)
  const first = page.getByRole('button', { name: /^Details of / }).first()
  await keys.press(first)
  await page.getByRole('dialog', { name: /^Details of / }).waitFor()
  await page.keyboard.press('Escape')
  await keys.to(first)
  await keys.goTo(`${posthorn.url}/app/settings/audit`)
  await keys.type(page.getByLabel('Action'), 'no.such_action')
  await page.keyboard.press('Enter')
  await page.getByText('No change matches').waitFor()

  await posthorn.api('GET', '/v1/topics')
  await eventually(async () => {
    const logged = await page.request.get(`${posthorn.url}/v1/requests?path=/v1/topics`)
    assert.notEqual((await logged.json()).data.length, 0)
  })
  await keys.goTo(`${posthorn.url}/app/settings/requests`)
  await keys.type(page.getByLabel('Path'), '/v1/topics')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('link', { name: 'GET /v1/topics' }).first())
  await heading(page, 'Request')
})

test('a role is changed and a person exported by keyboard alone', async () => {
  const { page, keys } = await open('/settings/members')
  const headers = { origin: posthorn.url }
  const invite = { headers, data: { email: 'lin@example.com', role: 'viewer' } }
  const { url } = await (await page.request.post(`${posthorn.url}/v1/team/invitations`, invite)).json()
  const data = { token: tokenOfLink(url), name: 'Lin', password: 'correct horse battery' }
  await posthorn.api('POST', '/auth/invitations', data)
  await page.reload()
  await keys.press(page.getByRole('button', { name: 'Change role of lin@example.com' }))
  const role = page.getByRole('dialog', { name: 'Change role of lin@example.com' })
  await keys.choose(role.getByLabel('Role'), 'Marketer')
  await keys.press(role.getByRole('button', { name: 'Save' }))
  await page.getByRole('row').filter({ hasText: 'lin@example.com' }).getByText('Marketer').waitFor()

  await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com' })
  await keys.goTo(`${posthorn.url}/app/settings/privacy`)
  await keys.type(page.getByLabel('Email'), 'ada@example.com')
  await keys.press(page.getByRole('button', { name: 'Export person' }))
  await page.getByRole('link', { name: 'Download file' }).waitFor()
})

test('the list of keys, the colours, another team and a plan are reached by keyboard alone', async () => {
  const { page, keys } = await open('/settings')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  const menu = page.getByRole('button', { name: 'Account menu' })
  await keys.press(menu)
  await page.getByRole('menuitemradio', { name: 'Light' }).waitFor()
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
  await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark'))
  await page.keyboard.press('Escape')
  await eventually(async () => assert.ok(await menu.evaluate((button) => button.matches(':focus'))))

  await keys.press(page.getByRole('button', { name: 'New team' }))
  await page.getByRole('dialog', { name: 'New team' }).getByLabel('Name').waitFor()
  await page.keyboard.type('Second')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('button', { name: 'Switch to Second' }))
  await heading(page, 'Overview')
  await keys.goTo(`${posthorn.url}/app/settings`)
  await keys.press(page.getByRole('button', { name: /^Switch to / }).first())
  await heading(page, 'Overview')
  await keys.go('l')
  await heading(page, 'Billing')
  await keys.press(page.getByRole('button', { name: 'Choose Pro' }))
  await page.getByRole('button', { name: /^Pay \$29/ }).waitFor()
})

test('two-factor is turned on and another session ended by keyboard alone', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/sign-in?next=/settings/security')
  const keys = keyboardOf(page)
  await keys.type(page.getByLabel('Email'), posthorn.account.email)
  await keys.type(page.getByLabel('Password'), posthorn.account.password)
  await page.keyboard.press('Enter')
  await heading(page, 'Security')
  await keys.press(page.getByRole('button', { name: /^Sign out / }).first())
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }))
  await page.getByRole('status').filter({ hasText: 'is signed out' }).waitFor()
  await keys.press(page.getByRole('button', { name: 'Turn on two-factor' }))
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor' })
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await keys.type(dialog.getByLabel('Authentication code'), new TOTP({ secret }).generate())
  await keys.press(dialog.getByRole('button', { name: 'Turn on', exact: true }))
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await keys.press(page.getByRole('button', { name: 'Done' }))
  await page.getByRole('button', { name: 'Turn off two-factor' }).waitFor()
})
