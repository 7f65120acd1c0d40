import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const run = promisify(execFile)

const button = 'Create a key and put it in'

test('a person who may not create keys is not offered one', async () => {
  const page = await join(posthorn, 'viewer')
  await page.getByText(/Bearer YOUR_API_KEY/).waitFor()
  assert.equal(await page.getByRole('button', { name: button }).count(), 0)
})

test('the command works as it is pasted once a key is made and put in, and its email appears on the page', async () => {
  // The first login is too old for what asks for the password again.
  await posthorn.ageLogins()
  const page = await posthorn.open('/app')
  await page.getByText(/Bearer YOUR_API_KEY/).waitFor()
  await page.getByRole('button', { name: button }).click()
  await page.getByText(/Bearer ph_\w+/).waitFor()
  const copy = page.getByRole('button', { name: 'Copy command' })
  await eventually(async () => assert.ok(await copy.evaluate((element) => element === document.activeElement)))
  await checkAccessibility(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copy.click()
  await page.getByRole('status').getByText('Copied').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(command, await page.locator('.command pre').innerText())
  const { stdout } = await run('sh', ['-c', command])
  assert.match(stdout, /"status":"(sent|delivered)"/, stdout)
  await page.getByRole('region', { name: 'Your first email' }).getByRole('link', { name: 'Hello' }).waitFor()
  const [key] = (await posthorn.api('GET', '/v1/api-keys')).body.data
  assert.deepEqual([key.name, key.permission, key.mode], ['First email', 'sending_access', 'live'])
})

test('a new team adds a domain first, and verifies it, since no command could send for it before', async () => {
  const page = await posthorn.open('/app/domains')
  const asked = { headers: { origin: posthorn.url } }
  const made = await page.request.post(`${posthorn.url}/auth/teams`, { ...asked, data: { name: 'Second' } })
  assert.ok(made.ok(), await made.text())
  const { id } = await made.json()
  const moved = await page.request.post(`${posthorn.url}/auth/switch`, { ...asked, data: { teamId: id } })
  assert.ok(moved.ok(), await moved.text())
  await page.goto(`${posthorn.url}/app`)
  const first = page.getByRole('region', { name: 'Add a domain' })
  await first.getByText(/Emails leave from a domain that is verified/).waitFor()
  assert.equal(await page.getByText(/curl|sandbox\.test|printed/).count(), 0)
  await checkAccessibility(page)
  await first.getByRole('link', { name: 'Go to Domains' }).click()
  await page.getByRole('button', { name: 'Add domain' }).waitFor()
  const added = await page.request.post(`${posthorn.url}/v1/domains`, { ...asked, data: { name: 'shop.example.com' } })
  assert.ok(added.ok(), await added.text())
  await page.goto(`${posthorn.url}/app`)
  await page
    .getByRole('region', { name: 'Verify shop.example.com' })
    .getByRole('link', { name: 'Show the records' })
    .click()
  await page.getByRole('button', { name: 'Verify DNS' }).waitFor()
})
