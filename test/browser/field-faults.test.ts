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

test('the fault of a field goes when the field is filled: New broadcast', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/broadcasts/new')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('alert').first().waitFor()
  await fillFaulty(page.locator('main'), 'Name', 'June')
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
