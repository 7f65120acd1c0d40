import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayFromMidnight } from '../patience.ts'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>'

test('the first use shows how to send, and turns into the first mail as it arrives, which is not taken for a later one', async () => {
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { name: 'What runs' }).waitFor()
  await page.getByRole('heading', { name: 'SMTP settings' }).waitFor()
  await page.getByRole('button', { name: 'Copy command' }).waitFor()
  await page.getByText(/curl http:\/\/localhost:\d+\/v1\/emails/).waitFor()
  assert.match((await page.getByRole('link', { name: 'Compose' }).getAttribute('href')) ?? '', /\/app\/emails\/new$/)
  await checkAccessibility(page)
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: hostile, html: '<p>It works.</p>' }
  assert.equal((await posthorn.api('POST', '/v1/emails', email)).status, 200)
  const first = page.getByRole('region', { name: 'Your first email' })
  await first.getByRole('link', { name: hostile }).waitFor()
  await first.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor()
  await page.frameLocator('iframe[title="HTML preview"]').getByText('It works.').waitFor()
  await checkAccessibility(page)
  await posthorn.api('POST', '/v1/emails', { ...email, subject: 'The second' })
  const latest = page.getByRole('region', { name: 'Latest emails' })
  await latest.getByRole('link', { name: 'The second' }).waitFor()
  assert.deepEqual(await first.getByRole('link').allInnerTexts(), [hostile])
  await checkAccessibility(page)
})

test('later it shows figures of today, and what wants a person', async () => {
  await posthorn.api('POST', '/v1/domains', { name: 'shop.example' })
  const email = { from: 'hello@sandbox.test', to: ['bounced@simulator.posthorn.test'], subject: 'No', text: 'No' }
  await posthorn.api('POST', '/v1/emails', email)
  const page = await posthorn.open('/app')
  const wants = page.getByRole('region', { name: 'Needs attention' })
  await wants.getByText(/^1 email bounced today$/).waitFor()
  await page.getByRole('region', { name: 'Latest emails' }).getByRole('link', { name: hostile }).waitFor()
  await page
    .getByRole('region', { name: /^Today/ })
    .getByText('Bounced')
    .waitFor()
  await page
    .getByRole('region', { name: 'Limits today' })
    .getByText(/None is near its end/)
    .waitFor()
  await checkAccessibility(page)
})

test('an SMS that failed is accepted and not sent on Overview, and counts on Usage', async () => {
  await awayFromMidnight()
  const { body: sender } = await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await posthorn.api('POST', `/v1/sms/senders/${sender.id}/verify`)
  await posthorn.api('POST', '/v1/sms', { to: '+61400000001', body: 'Hello', senderId: sender.id })
  const page = await posthorn.open('/app')
  const figures = page.getByRole('region', { name: /^Today/ })
  await figures.getByText(/^SMS sent\s*0\s*1 accepted$/).waitFor()
  const usage = await posthorn.open('/app/usage')
  const meter = usage.getByRole('meter', { name: 'SMS today' })
  await meter.waitFor()
  assert.equal(await meter.getAttribute('aria-valuenow'), '1')
})

test('the operator reads how many jobs failed for good, and which command lists them', async () => {
  const page = await posthorn.open('/app/inbox')
  await page.route('**/v1/installation', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), discardedJobs: 3 } })
  })
  await page.goto(`${posthorn.url}/app`)
  const wants = page.getByRole('region', { name: 'Needs attention' })
  await wants.getByText('3 jobs of this installation failed for good: see posthorn jobs list --discarded').waitFor()
  await checkAccessibility(page)
})
