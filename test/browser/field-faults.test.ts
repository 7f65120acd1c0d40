import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

/** Types into a field that has a fault, and looks that the fault is gone before anything is sent. */
async function fillFaulty(form: Locator, label: string, text: string): Promise<void> {
  const field = form.getByLabel(label, { exact: true })
  assert.equal(await field.getAttribute('aria-invalid'), 'true', `${label} is told as faulty`)
  const faults = await form.getByRole('alert').count()
  await field.fill(text)
  assert.equal(await field.getAttribute('aria-invalid'), null, `${label} is faulty no more`)
  assert.equal(await form.getByRole('alert').count(), faults - 1, 'the other faults stay')
}

test('the fault of a field goes when the field is filled: Compose', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/emails/new')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await fillFaulty(page.locator('main'), 'From', 'hello@sandbox.test')
  await fillFaulty(page.locator('main'), 'To', 'ada@example.com')
})

test('fields that opened by themselves for a fault stay open while it is mended', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/emails/new')
  const copy = page.getByLabel('Cc', { exact: true })
  await page.getByLabel('From', { exact: true }).fill('hello@sandbox.test')
  await page.getByLabel('To', { exact: true }).fill('ada@example.com')
  await page.getByLabel('Subject', { exact: true }).fill('Hello')
  await page.getByLabel('Text', { exact: true }).fill('Hello')
  const more = page.getByText('Copies, tags and headers', { exact: true })
  await more.click()
  await copy.fill('grace@')
  await more.click()
  await copy.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await copy.waitFor()
  assert.equal(await copy.getAttribute('aria-invalid'), 'true')
  await copy.press('End')
  await copy.pressSequentially('example.com')
  assert.equal(await copy.inputValue(), 'grace@example.com')
  assert.ok(await copy.isVisible())
  assert.ok(await copy.evaluate((element) => element === document.activeElement))
})

test('the fault of a field goes when the field is filled: New broadcast', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/broadcasts/new')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('alert').first().waitFor()
  await fillFaulty(page.locator('main'), 'Name', 'June')
  await fillFaulty(page.locator('main'), 'From', 'news@sandbox.test')
})

test('what is refused of a draft that is saved as another stands at its field', async () => {
  posthorn.mayLog(/status of 400/)
  const segmentId = (await posthorn.api('POST', '/v1/segments', { name: 'Readers' })).body.id
  const contactId = (await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com' })).body.id
  await posthorn.api('POST', `/v1/segments/${segmentId}/contacts`, { contactIds: [contactId] })
  const draft = { name: 'June', from: 'news@sandbox.test', segmentId, subject: 'News', html: '<p>Hello</p>' }
  const { id } = (await posthorn.api('POST', '/v1/broadcasts', draft)).body
  const page = await posthorn.open(`/app/broadcasts/${id}`)
  await page.getByLabel('From', { exact: true }).fill('nobody')
  assert.equal((await posthorn.api('POST', `/v1/broadcasts/${id}/send`)).status, 200)
  await page.getByRole('button', { name: 'Save as another draft' }).click()
  await page.getByRole('main').locator('.field-fault').waitFor()
  await fillFaulty(page.locator('main'), 'From', 'news@sandbox.test')
})

test('the fault of a field goes when the field is changed: dialogs', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('button', { name: 'Add suppression' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add suppression' })
  await dialog.getByLabel('Email').fill('nobody')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await fillFaulty(dialog, 'Email', 'nobody@')
  await page.goto(`${posthorn.url}/app/webhooks`)
  await page.getByRole('button', { name: 'Add webhook' }).first().click()
  const webhook = page.getByRole('dialog', { name: 'Add webhook' })
  await webhook.getByRole('button', { name: 'Add', exact: true }).click()
  await webhook.getByRole('alert').first().waitFor()
  await fillFaulty(webhook, 'Endpoint URL', 'https://hooks.example.com')
  assert.equal(await webhook.getByRole('alert').count(), 1)
  await webhook.getByRole('checkbox', { name: /email\.sent/ }).check()
  assert.equal(await webhook.getByRole('alert').count(), 0)
})
