import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayFromMidnight } from '../patience.ts'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('the usage of today stands beside its limits', async () => {
  await awayFromMidnight()
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' }
  await posthorn.api('POST', '/v1/emails', email)
  const page = await posthorn.open('/app/usage')
  const emails = page.getByRole('meter', { name: 'Emails today' })
  assert.equal(await emails.getAttribute('aria-valuetext'), '1 of 100,000')
  await page.getByRole('meter', { name: 'SMS today' }).waitFor()
  await page.getByRole('meter', { name: 'SMS spend today' }).waitFor()
  const requests = page.getByRole('meter', { name: 'Your requests this minute' })
  assert.match(String(await requests.getAttribute('aria-valuetext')), /^\d+ of 10,000$/)
  await page.getByText('10,000 a minute').waitFor()
  await checkAccessibility(page)
})

test('a plan is bought, is the current one, and its subscription can be managed', async () => {
  const page = await posthorn.open('/app/billing')
  const plans = page.getByRole('table', { name: 'Plans' })
  await plans.getByRole('row').filter({ hasText: 'Enterprise' }).getByText('Current plan').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByRole('button', { name: /^Pay \$29/ }).click()
  await page.getByText('The plan Pro is in force').waitFor()

  await page.goto(`${posthorn.url}/app/billing`)
  await plans.getByRole('row').filter({ hasText: 'Pro' }).getByText('Current plan').waitFor()
  await page.getByRole('table', { name: 'Ledger' }).getByRole('cell', { name: '$2.00', exact: true }).first().waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Manage subscription' }).click()
  await page.getByRole('link', { name: 'Back to where you came from' }).click()
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
})
