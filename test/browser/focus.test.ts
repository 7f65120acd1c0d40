import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { checkFocus } from './focus.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
/** The path of each thing that has a page, by its page's path in the table. */
const made: Record<string, string> = {}

async function make(page: string, path: string, body: object): Promise<string> {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  made[page] = page.replace(':id', answer.body.id)
  return answer.body.id
}

before(async () => {
  const text = { from: 'hello@sandbox.test', subject: 'Hello', text: 'Hi' }
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  await make('/emails/:id', '/v1/emails', { ...text, to: ['ada@example.com'], scheduledAt })
  const contactId = await make('/contacts/:id', '/v1/contacts', {
    email: 'ada@example.com',
    properties: { city: 'Oslo' },
  })
  const segmentId = await make('/segments/:id', '/v1/segments', { name: 'Readers' })
  await posthorn.api('POST', `/v1/segments/${segmentId}/contacts`, { contactIds: [contactId] })
  await make('/topics/:id', '/v1/topics', { name: 'News' })
  await make('/broadcasts/:id', '/v1/broadcasts', { name: 'June', ...text, segmentId })
  await make('/templates/:id', '/v1/templates', { name: 'Welcome', html: '<p>Hello {{name}}</p>' })
  await make('/domains/:id', '/v1/domains', { name: 'shop.example' })
  await make('/webhooks/:id', '/v1/webhooks', { endpointUrl: 'https://hooks.example.com', events: ['email.sent'] })
  await make('/workflows/:id', '/v1/workflows', { name: 'Greeting' })
  const smsSender = await make('/sms/senders/:id', '/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })
  await posthorn.api('POST', `/v1/sms/senders/${smsSender}/verify`)
  await make('/sms/:id', '/v1/sms', { to: '+61491570156', body: 'Hello', senderId: smsSender })
  const phone = { phoneNumber: '+447700900100', wabaId: '1', phoneNumberId: '2' }
  await make('/whatsapp/senders/:id', '/v1/whatsapp/senders', { name: 'Support', ...phone })
  await make('/whatsapp/templates/:id', '/v1/whatsapp/templates', {
    name: 'order_shipped',
    language: 'en',
    category: 'utility',
    body: 'Hello {{1}}',
  })
  await posthorn.api('POST', '/v1/suppressions', { email: 'eve@example.com' })
  await posthorn.api('POST', '/v1/sms/opt-outs', { phoneNumber: '+61491570157' })
})

test('pages of one thing show the focus at each control, in the order of the page, and dialogs give it back', async () => {
  const page = await posthorn.open('/app')
  for (const path of [...Object.values(made), '/suppressions', '/sms/opt-outs']) {
    await page.goto(`${posthorn.url}/app${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkFocus(page)
  }
})
