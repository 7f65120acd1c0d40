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

async function htmlOf(subject: string): Promise<string> {
  const { data } = (await posthorn.api('GET', `/v1/emails?search=${subject}`)).body
  return (await posthorn.api('GET', `/v1/emails/${data[0].id}`)).body.html
}

const broken = { status: 500, json: { error: 'internal_error', message: 'Something broke.' } }

test('a variable is sent with the value that was filled in, also if the preview fails', async () => {
  posthorn.mayLog(/status of 500/)
  const page = await posthorn.open('/app/emails/new')
  await page.getByLabel('From', { exact: true }).fill('hello@sandbox.test')
  await page.getByLabel('To', { exact: true }).fill('ada@example.com')
  await page.getByLabel('Subject').fill('Greeting')
  const html = page.getByRole('textbox', { name: 'HTML' })
  await html.fill('<p>Hi {{name}}</p>')
  const name = page.getByRole('group', { name: 'Variables' }).getByLabel('name')
  await name.fill('Ada')
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Hi Ada').waitFor()
  await page.route('**/v1/previews', (route) => route.fulfill(broken))
  await html.fill('<p>Dear {{name}}</p>')
  await page.getByRole('region', { name: 'Preview' }).getByRole('alert').getByText('Something broke.').waitFor()
  assert.equal(await name.inputValue(), 'Ada')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Greeting' }).waitFor()
  assert.equal(await htmlOf('Greeting'), '<p>Dear Ada</p>')
})

test('a variable of a template is sent with its value from a kept draft, also if the template cannot be read', async () => {
  posthorn.mayLog(/status of 500/)
  const { id } = (await posthorn.api('POST', '/v1/templates', { name: 'Invoice', html: '<p>For {{name}}</p>' })).body
  await posthorn.api('PATCH', `/v1/templates/${id}`, { status: 'published' })
  const page = await posthorn.open('/app/emails/new')
  await page.getByLabel('From', { exact: true }).fill('hello@sandbox.test')
  await page.getByLabel('To', { exact: true }).fill('ada@example.com')
  await page.getByLabel('Subject').fill('Payment')
  await page.getByLabel('Template').selectOption({ label: 'Invoice' })
  await page.getByRole('group', { name: 'Variables' }).getByLabel('name').fill('Ada')
  await page.frameLocator('iframe[title="HTML preview"]').getByText('For Ada').waitFor()
  await page.route(`**/v1/templates/${id}`, (route) => route.fulfill(broken))
  await page.reload()
  await page.getByText('Draft kept').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor()
  assert.equal(await htmlOf('Payment'), '<p>For Ada</p>')
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
