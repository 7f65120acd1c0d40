import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const phoneNumberId = '106540352242922'
const wabaId = '102290129340398'
const ada = '+447700900123'
let senderId = ''
let written = 0

async function post(path: string, body?: unknown) {
  const answer = await posthorn.api('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const event = (one: object) => post('/providers/capture/whatsapp', { events: [one] })

/** A customer writes, so many hours ago. */
function receive(from: string, text: string, hoursAgo = 0) {
  const timestamp = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  const providerMessageId = `in-${++written}`
  return event({ type: 'message', phoneNumberId, from, text, providerMessageId, contactName: '<b>Ada</b>', timestamp })
}

async function conversationWith(phoneNumber: string): Promise<string> {
  const { data } = (await posthorn.api('GET', '/v1/whatsapp/conversations')).body
  return data.find((one: { phoneNumber: string }) => one.phoneNumber === phoneNumber).id
}

before(async () => {
  const sender = { name: 'Support', phoneNumber: '+447700900100', wabaId, phoneNumberId }
  senderId = (await post('/v1/whatsapp/senders', sender)).id
  await post(`/v1/whatsapp/senders/${senderId}/verify`)
})

test('a sender is added, is told what verifying needs, and is verified and deleted', async () => {
  posthorn.mayLog(/status of 4(00|22)/)
  const page = await posthorn.open('/app/whatsapp/senders')
  await page.getByRole('button', { name: 'Add sender' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add sender' })
  await dialog.getByLabel('Name', { exact: true }).fill('<i>Sales</i>')
  await dialog.getByLabel('Phone number', { exact: true }).fill('12')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'E.164' }).waitFor()
  await dialog.getByLabel('Phone number', { exact: true }).fill('+44 7700 900101')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { level: 1, name: '<i>Sales</i>' }).waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('alert').filter({ hasText: 'wabaId' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('WhatsApp Business Account ID').fill('1')
  await page.getByRole('dialog').getByLabel('Phone number ID').fill('2')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('list', { name: 'Verification' }).getByText('Verified').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Delete <i>Sales</i>' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('table', { name: 'WhatsApp senders' }).getByRole('link', { name: 'Support' }).waitFor()
  await checkAccessibility(page)
})

test('a template is created, edited, submitted, rejected, submitted again and approved', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/whatsapp/templates')
  await page.getByText('No WhatsApp templates yet').waitFor()
  await page.getByRole('button', { name: 'Create template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create template' })
  await dialog.getByLabel('Name').fill('Order shipped')
  await dialog.getByLabel('Body').fill('Hello {{1}}, your order {{2}} has shipped.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'lowercase' }).waitFor()
  await dialog.getByLabel('Name').fill('order_shipped')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'order_shipped' }).waitFor()
  const way = page.getByRole('list', { name: 'Approval' })
  await page.getByLabel('Body').fill('Hello {{3}}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: '{{1}} is missing' }).waitFor()
  await page.getByLabel('Body').fill('Hi {{1}}, your order {{2}} has shipped.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Hi {{1}}, your order {{2}} has shipped.').first().waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await way.getByText('WhatsApp reviews the template.').waitFor()
  const review = { type: 'template_status', wabaId, templateName: 'order_shipped', language: 'en' }
  await event({ ...review, status: 'rejected', reason: '<script>too loud</script>' })
  await page.reload()
  await way.getByText('<script>too loud</script>').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await way.getByText('WhatsApp reviews the template.').waitFor()
  await event({ ...review, status: 'approved' })
  await page.reload()
  await page.getByText('It can be sent.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Submit' }).count(), 0)
  await checkAccessibility(page)
})

test('a template is sent to a new number, and the message shows its timeline', async () => {
  const page = await posthorn.open('/app/whatsapp')
  await page.getByText('No conversations yet').waitFor()
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByLabel('To').fill(ada)
  await dialog.getByLabel('Variable 1').fill('Ada')
  await dialog.getByText('Hi Ada, your order {{2}} has shipped.').waitFor()
  await dialog.getByLabel('Variable 2').fill('4711')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { level: 1, name: ada }).waitFor()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('Hi Ada, your order 4711 has shipped.').waitFor()
  await log.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Sent').waitFor()
  await page.getByText('Hi Ada, your order 4711 has shipped.').waitFor()
  await checkAccessibility(page)
})

test('an open window counts down, and takes a reply', async () => {
  await receive(ada, '<img src=x onerror=alert(1)> Where is it?')
  const page = await posthorn.open('/app/whatsapp')
  await page
    .getByRole('table', { name: 'Conversations' })
    .getByText(/^Open for 23 h$/)
    .waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: ada }).click()
  await page.getByText(/^Open for 23 h 5\d min$/).waitFor()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('<img src=x onerror=alert(1)> Where is it?').waitFor()
  await page.getByLabel('Reply').fill('With the carrier.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await log.getByText('With the carrier.').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Reply').inputValue(), ''))
  await receive(ada, 'Thanks!')
  await log.getByText('Thanks!').waitFor()
  await checkAccessibility(page)
})

test('a closed window has the field off, and sends a template in its place', async () => {
  const grace = '+447700900124'
  await receive(grace, 'Hello', 25)
  const page = await posthorn.open(`/app/whatsapp/conversations/${await conversationWith(grace)}`)
  await page.getByText('The window is closed').waitFor()
  assert.ok(await page.getByLabel('Reply').isDisabled())
  assert.equal(await page.getByRole('button', { name: 'Send reply' }).count(), 0)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByLabel('Variable 1').fill('Grace')
  await dialog.getByLabel('Variable 2').fill('1')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('log', { name: 'Conversation' }).getByText('Hi Grace, your order 1 has shipped.').waitFor()
})

test('messages of both directions are listed', async () => {
  const page = await posthorn.open('/app/whatsapp?tab=messages')
  const table = page.getByRole('table', { name: 'Messages' })
  await table.getByText('With the carrier.').waitFor()
  await table.getByText('Thanks!').waitFor()
  await checkAccessibility(page)
})

test('the inbox shows what was said by WhatsApp, and answers as the phone', async () => {
  const page = await posthorn.open('/app/inbox?channel=whatsapp')
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: ada }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('With the carrier.').waitFor()
  await page.getByLabel('Reply as this phone').fill('It has come.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await log.getByText('It has come.').waitFor()
  await checkAccessibility(page)
})

test('the inbox shows SMS, and a phone that writes STOP is opted out', async () => {
  const { id } = await post('/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })
  await post(`/v1/sms/senders/${id}/verify`)
  await post('/v1/sms', { to: '+61491570156', body: 'Your code is 123456', senderId: id })
  const page = await posthorn.open('/app/inbox')
  await page.getByRole('tab', { name: 'SMS' }).click()
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: '+61491570156' }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('Your code is 123456').waitFor()
  await page.getByLabel('Reply as this phone').fill('STOP')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await log.getByText('STOP').waitFor()
  await checkAccessibility(page)
  const { data } = (await posthorn.api('GET', '/v1/sms/opt-outs')).body
  assert.deepEqual(data[0].phoneNumber, '+61491570156')
})

test('WhatsApp is tried without WhatsApp: a template is rejected, approved and sent, and the phone answers', async () => {
  const grace = '+447700900177'
  await post('/v1/whatsapp/templates', { name: 'try_out', body: 'Hello {{1}}' })
  const page = await posthorn.open('/app/whatsapp/templates')
  await page.getByRole('link', { name: 'try_out' }).click()
  const way = page.getByRole('list', { name: 'Approval' })
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject' })
  await dialog.getByLabel('Reason').fill('Too short')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await way.getByText('Too short').waitFor()
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('It can be sent.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await sendTemplate(page, grace, 'try_out')
  const said = page.getByRole('log', { name: 'Conversation' })
  await said.getByText('Hello Grace').waitFor()
  await page.goto(`${posthorn.url}/app/inbox?channel=whatsapp&number=${encodeURIComponent(grace)}`)
  await page.getByLabel('Reply as this phone').fill('Who is this?')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await said.getByText('Who is this?').waitFor()
  await page.goto(`${posthorn.url}/app/whatsapp/conversations/${await conversationWith(grace)}`)
  await said.getByText('Who is this?').waitFor()
  await page.getByLabel('Reply').fill('Your shop.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await said.getByText('Your shop.').waitFor()
})

async function sendTemplate(page: Page, to: string, template: string): Promise<void> {
  await page.goto(`${posthorn.url}/app/whatsapp`)
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByLabel('To').fill(to)
  await dialog.getByLabel('Template').selectOption({ label: `${template} (en)` })
  await dialog.getByLabel('Variable 1').fill('Grace')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { level: 1, name: to }).waitFor()
}
