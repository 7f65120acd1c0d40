import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('an email with a template, variables and an attachment is previewed and sent', async () => {
  const template = { name: 'Welcome', html: '<h1>Welcome {{name}}</h1>' }
  const { id } = (await posthorn.api('POST', '/v1/templates', template)).body
  await posthorn.api('PATCH', `/v1/templates/${id}`, { status: 'published' })
  const page = await posthorn.open('/app/emails/new')
  await page.getByRole('heading', { level: 1, name: 'Compose' }).waitFor()
  await page.getByLabel('From', { exact: true }).fill('Shop <hello@sandbox.test>')
  await page.getByLabel('To', { exact: true }).fill('"Lovelace, Ada" <ada@example.com>, grace@example.com')
  await page.getByLabel('Subject').fill('For {{name}}')
  await page.getByLabel('Template').selectOption({ label: 'Welcome' })
  await page.getByRole('group', { name: 'Variables' }).getByLabel('name').fill('<b>Ada</b>')
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('attached') }
  await page.getByLabel('Attachments').setInputFiles(file)
  await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Welcome <b>Ada</b>').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'For <b>Ada</b>' }).waitFor()
  const [email] = (await posthorn.api('GET', '/v1/emails')).body.data
  assert.deepEqual(email.to, ['"Lovelace, Ada" <ada@example.com>', 'grace@example.com'])
  const { attachments } = (await posthorn.api('GET', `/v1/emails/${email.id}/message`)).body
  assert.deepEqual([attachments[0].filename, attachments[0].size], ['notes.txt', 8])
})

test('an email is scheduled, and what is typed stays when it is refused', async () => {
  posthorn.mayLog(/status of 4\d\d/)
  const page = await posthorn.open('/app/emails/new?to=ada@example.com')
  await page.getByLabel('Subject').fill('Later')
  await page.getByLabel('Text').fill('See you')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByLabel('From', { exact: true }).getAttribute('aria-invalid'), 'true')
  await checkAccessibility(page)
  await page.getByLabel('From', { exact: true }).fill('hello@sandbox.test')
  await page.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule' })
  await dialog.getByLabel('Send at').waitFor()
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('heading', { level: 1, name: 'Later' }).waitFor()
  const [email] = (await posthorn.api('GET', '/v1/emails?status=scheduled')).body.data
  assert.equal(email.subject, 'Later')
})
