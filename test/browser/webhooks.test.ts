import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const certificate = fileURLToPath(new URL('../../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))
const posthorn = await openDashboard({
  NODE_EXTRA_CA_CERTS: certificate,
  OUTBOUND_ALLOW: '127.0.0.0/8',
  WEBHOOK_RETRY_DELAYS: '100ms',
})

test('a webhook that is added gets a test event, which can be replayed', async () => {
  const receiver = await startReceiver()
  const page = await posthorn.open('/app/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await form.getByLabel('Endpoint URL').fill(receiver.url)
  await form.getByRole('checkbox', { name: 'email.bounced' }).check()
  await form.getByRole('checkbox', { name: 'Include test events' }).check()
  await form.getByRole('combobox', { name: 'Signature scheme' }).selectOption('Standard Webhooks')
  await checkAccessibility(page)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const saved = page.getByRole('dialog', { name: 'Save the signing secret' })
  assert.match(await saved.getByLabel('Signing secret').inputValue(), /^whsec_/)
  await saved.getByRole('button', { name: 'Done' }).click()
  await checkAccessibility(page)

  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { level: 1, name: new URL(receiver.url).host }).waitFor()
  await page.getByText('Standard Webhooks', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByRole('cell', { name: 'Delivered' }).waitFor()
  await checkAccessibility(page)

  await deliveries.getByRole('link', { name: 'email.bounced' }).click()
  await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()
  await page.getByRole('region', { name: 'Payload' }).getByText('"email.bounced"').waitFor()
  await page.getByRole('table', { name: 'Attempts' }).getByRole('cell', { name: 'noted' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Replay' }).click()
  await receiver.until(2)
  assert.equal(receiver.received[0]!.body, receiver.received[1]!.body)
})

test('all that failed is sent again', async () => {
  const receiver = await startReceiver()
  const hostile = '<script>alert(1)</script>'
  receiver.answer = (response) => response.writeHead(503).end(hostile)
  const page = await openNew(receiver.url)
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByRole('cell', { name: 'Failed' }).waitFor()
  receiver.answer = 200
  await page.getByRole('button', { name: 'Replay failed deliveries' }).click()
  const form = page.getByRole('dialog', { name: 'Replay failed deliveries' })
  await form.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('status').getByText('1 delivery will be sent again').waitFor()
  await deliveries.getByRole('cell', { name: 'Delivered' }).waitFor()

  await page.getByLabel('Status').selectOption('Failed')
  await deliveries.getByRole('cell', { name: 'Delivered' }).waitFor({ state: 'detached' })
  await deliveries.getByRole('link', { name: 'email.sent' }).click()
  const attempts = page.getByRole('table', { name: 'Attempts' })
  await eventually(async () => assert.equal(await attempts.getByText(hostile).count(), 2))
})

test('a webhook is paused, switched on, changed and deleted', async () => {
  const page = await openNew('https://hooks.example.com/posthorn')
  await page.getByRole('button', { name: 'Pause hooks.example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('dialog', { name: 'Save the signing secret' }).getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Edit webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Edit webhook' })
  posthorn.mayLog(/status of 400/)
  await form.getByLabel('Endpoint URL').fill('http://insecure.example.com')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByText(/https/).waitFor()
  await form.getByLabel('Endpoint URL').fill('https://other.example.com')
  await form.getByRole('checkbox', { name: 'email.opened' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'other.example.com' }).waitFor()
  await page.getByRole('button', { name: 'Delete other.example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await page.getByRole('link', { name: 'https://other.example.com' }).waitFor({ state: 'detached' })
})

async function openNew(endpointUrl: string): Promise<Page> {
  const { body } = await posthorn.api('POST', '/v1/webhooks', { endpointUrl, events: ['email.sent'] })
  const page = await posthorn.open(`/app/webhooks/${body.id}`)
  await page.getByRole('heading', { level: 1, name: new URL(endpointUrl).host }).waitFor()
  return page
}
