import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a key that is created is shown once, works, and is refused once it is revoked', async () => {
  const page = await posthorn.open('/app/api-keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Shop')
  await form.getByLabel('Full access').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()

  const saved = page.getByRole('dialog', { name: 'Save your API key' })
  const key = await saved.getByLabel('API key', { exact: true }).inputValue()
  assert.match(key, /^ph_[A-Za-z0-9]{32,}$/)
  await saved.getByRole('button', { name: 'Copy key' }).waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await saved.getByRole('button', { name: 'Done' }).click()
  assert.equal(await page.getByRole('dialog').count(), 0, 'no command palette over the secret')
  assert.equal(await callWith(key), 200)

  const table = page.getByRole('table', { name: 'API keys' })
  await table.getByRole('cell', { name: 'Shop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Revoke Shop' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke Shop?' })
  await question.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Revoke Shop' }).click()
  await question.getByRole('button', { name: 'Revoke', exact: true }).click()
  await table.getByRole('cell', { name: 'Shop', exact: true }).waitFor({ state: 'detached' })
  assert.equal(await callWith(key), 401)
})

test('Back does not take away a key that is shown once, and works again when that is done', async () => {
  const page = await posthorn.open('/app/webhooks')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Back')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  const secret = page.getByRole('dialog', { name: 'Save your API key' })
  await secret.waitFor()
  await page.evaluate(() => {
    addEventListener('popstate', () => document.body.setAttribute('data-at', location.pathname))
    history.back()
  })
  // The browser has gone back by then, and the page forward again.
  const at = () => page.evaluate(() => document.body.dataset.at)
  await eventually(async () => assert.equal(await at(), '/app/api-keys'))
  await secret.getByRole('button', { name: 'Done' }).click()
  await page.evaluate(() => history.back())
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
})

test('a key of one domain and of test mode says so in the table', async () => {
  const page = await posthorn.open('/app/api-keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('CI')
  await form.getByLabel('Sending access').check()
  await form.getByLabel('Test').check()
  await form.getByLabel('Domain').selectOption({ label: 'sandbox.test' })
  await form.getByLabel('Expires').fill('2031-01-31')
  await checkAccessibility(page)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog', { name: 'Save your API key' }).getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'CI', exact: true }) })
  await row.getByRole('cell', { name: /ph_test_/ }).waitFor()
  await row.getByRole('cell', { name: 'Sending access, sandbox.test' }).waitFor()
  await row.getByRole('cell', { name: /31 Jan 2031/ }).waitFor()
})

test('a key is renamed, and a fault stands at its field', async () => {
  posthorn.mayLog(/status of 400/)
  const hostile = '<img src=x onerror=alert(1)>'
  await posthorn.api('POST', '/v1/api-keys', { name: hostile })
  const page = await posthorn.open('/app/api-keys')
  await page.getByRole('button', { name: `Edit ${hostile}` }).click()
  const form = page.getByRole('dialog', { name: `Edit ${hostile}` })
  await form.getByLabel('Name').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').waitFor()
  assert.equal(await form.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await form.getByLabel('Name').fill('Renamed')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Renamed', exact: true }).waitFor()
  await checkAccessibility(page)
})

test('a developer renames a key with full access, and is offered its permission and expiry for no such key', async () => {
  await posthorn.api('POST', '/v1/api-keys', { name: 'Deploys', permission: 'full_access' })
  await posthorn.api('POST', '/v1/api-keys', { name: 'Receipts', permission: 'sending_access' })
  const page = await join(posthorn, 'developer')
  await page.goto(`${posthorn.url}/app/api-keys`)
  await page.getByRole('button', { name: 'Edit Deploys' }).click()
  const full = page.getByRole('dialog', { name: 'Edit Deploys' })
  await full.getByText('Owners and admins change the permission').waitFor()
  assert.equal(await full.getByRole('radio').count(), 0)
  assert.equal(await full.getByLabel('Expires').count(), 0)
  await checkAccessibility(page)
  await full.getByLabel('Name').fill('Releases')
  await full.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Releases', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit Receipts' }).click()
  const sending = page.getByRole('dialog', { name: 'Edit Receipts' })
  await sending.getByLabel('Expires').fill('2031-01-31')
  await sending.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Receipts', exact: true }) })
  await row.getByRole('cell', { name: /31 Jan 2031/ }).waitFor()
})

test('the pages are used by keyboard alone', async () => {
  const page = await posthorn.open('/app/api-keys')
  const create = page.getByRole('button', { name: 'Create API key' })
  await create.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create API key' }).getByLabel('Name').waitFor()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Save your API key' }).waitFor()
  const done = page.getByRole('button', { name: 'Done' })
  for (let step = 0; step < 5 && !(await done.evaluate((button) => button.matches(':focus'))); step++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Revoke By keyboard' }).waitFor()
})

async function callWith(key: string): Promise<number> {
  const answer = await fetch(`${posthorn.url}/v1/api-keys`, { headers: { authorization: `Bearer ${key}` } })
  return answer.status
}
