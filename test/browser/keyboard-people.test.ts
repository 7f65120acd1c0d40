import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { keyboardOf } from './keyboard.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function open(path: string) {
  const page = await posthorn.open(`/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, keys: keyboardOf(page) }
}

/** Chooses the verb in the question that a button opens. */
async function confirm(page: Page, name: string, verb: string) {
  const keys = keyboardOf(page)
  await keys.press(page.getByRole('button', { name }))
  const question = page.getByRole('dialog', { name: `${name}?` })
  await keys.press(question.getByRole('button', { name: verb, exact: true }))
  await question.waitFor({ state: 'detached' })
}

test('a broadcast is written, reviewed and sent at once by keyboard alone', async () => {
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Readers' })
  const { body: contact } = await posthorn.api('POST', '/v1/contacts', { email: 'reader@example.com' })
  await posthorn.api('POST', `/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const { page, keys } = await open('/broadcasts/new')
  await keys.type(page.getByLabel('Name', { exact: true }), 'August news')
  await keys.type(page.getByLabel('From', { exact: true }), 'news@sandbox.test')
  await keys.choose(page.getByLabel('Segment'), 'Readers')
  await keys.type(page.getByLabel('Subject'), 'News')
  await keys.type(page.getByLabel('Text', { exact: true }), 'Hello')
  await keys.press(page.getByRole('button', { name: 'Review and send' }))
  const review = page.getByRole('dialog', { name: 'Send August news?' })
  await review.getByText('1 person').waitFor()
  await keys.press(review.getByRole('button', { name: 'Send now' }))
  await page.getByRole('region', { name: 'Results' }).waitFor()
})

test('an SMS opt-out is added and removed by keyboard alone', async () => {
  const { page, keys } = await open('/sms/opt-outs')
  await keys.press(page.getByRole('button', { name: 'Add opt-out' }))
  await page.getByRole('dialog', { name: 'Add opt-out' }).getByLabel('Phone number').waitFor()
  await page.keyboard.type('+61491570156')
  await page.keyboard.press('Enter')
  await confirm(page, 'Remove +61491570156', 'Remove')
  await page.getByText('No opt-outs yet').waitFor()
})

test('a WhatsApp template is sent to a new number by keyboard alone', async () => {
  const ids = { wabaId: '102290129340398', phoneNumberId: '106540352242922' }
  const sender = { name: 'Support', phoneNumber: '+447700900100', ...ids }
  const { body: support } = await posthorn.api('POST', '/v1/whatsapp/senders', sender)
  await posthorn.api('POST', `/v1/whatsapp/senders/${support.id}/verify`)
  const template = { name: 'order_shipped', language: 'en', category: 'utility', body: 'Hi {{1}}, it has shipped.' }
  const { body: made } = await posthorn.api('POST', '/v1/whatsapp/templates', template)
  await posthorn.api('POST', `/v1/whatsapp/templates/${made.id}/submit`)
  const review = { type: 'template_status', wabaId: ids.wabaId, templateName: template.name, language: 'en' }
  await posthorn.api('POST', '/providers/capture/whatsapp', { events: [{ ...review, status: 'approved' }] })

  const { page, keys } = await open('/whatsapp')
  await keys.press(page.getByRole('button', { name: 'Send a template' }))
  const form = page.getByRole('dialog', { name: 'Send a template' })
  await keys.type(form.getByLabel('To'), '+447700900123')
  await keys.type(form.getByLabel('Variable 1'), 'Ada')
  await keys.press(form.getByRole('button', { name: 'Send', exact: true }))
  await heading(page, '+447700900123')
  await page.getByRole('log', { name: 'Conversation' }).getByText('Hi Ada, it has shipped.').waitFor()
})

test('the columns of an import are mapped otherwise by keyboard alone', async () => {
  const { page, keys } = await open('/contacts/import')
  const asked = page.waitForEvent('filechooser')
  await keys.press(page.getByLabel('CSV file'))
  const buffer = Buffer.from('address,call me,note\ngrace@example.com,Grace,skip this\n')
  await (await asked).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByText('1 row', { exact: true }).waitFor()
  await keys.choose(page.getByLabel('address'), 'Email')
  await keys.choose(page.getByLabel('call me'), 'First name')
  await keys.choose(page.getByLabel('note'), 'Leave out')
  await keys.press(page.getByRole('button', { name: 'Import', exact: true }))
  await page.getByText('1 created').waitFor()
  const { data } = (await posthorn.api('GET', '/v1/contacts?search=grace@example.com')).body
  assert.deepEqual([data[0].firstName, data[0].properties], ['Grace', {}])
})

test('an invitation is revoked by keyboard alone', async () => {
  const { page } = await open('/settings/members')
  const invite = { headers: { origin: posthorn.url }, data: { email: 'lin@example.com', role: 'viewer' } }
  assert.ok((await page.request.post(`${posthorn.url}/v1/team/invitations`, invite)).ok())
  await page.reload()
  await confirm(page, 'Revoke invitation of lin@example.com', 'Revoke')
  await page.getByText('lin@example.com', { exact: true }).waitFor({ state: 'detached' })
})

test('a person is erased by keyboard alone', async () => {
  await posthorn.api('POST', '/v1/contacts', { email: 'gone@example.com' })
  const { page, keys } = await open('/settings/privacy')
  await keys.to(page.getByRole('radio', { name: 'Export' }))
  await page.keyboard.press('ArrowDown')
  await keys.type(page.getByLabel('Email'), 'gone@example.com')
  await confirm(page, 'Erase person', 'Erase')
  await page.getByRole('region', { name: 'Request' }).getByText('Done').waitFor()
  await eventually(async () => {
    assert.equal((await posthorn.api('GET', '/v1/contacts?search=gone@example.com')).body.data.length, 0)
  })
})

test('a captured email is read under each of its tabs by keyboard alone', async () => {
  const email = {
    from: 'hello@sandbox.test',
    to: ['ada@example.com'],
    subject: 'Tabs',
    html: '<p>As HTML',
    text: 'As text',
  }
  await posthorn.api('POST', '/v1/emails', { ...email, headers: { 'X-Order': '4711' } })
  const { page, keys } = await open('/inbox')
  await page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: /Tabs/ }).waitFor()
  await page.keyboard.press('.')
  await page.frameLocator('iframe[title="HTML preview"]').getByText('As HTML').waitFor()
  await keys.to(page.getByRole('tab', { name: 'HTML' }))
  for (const [name, content] of [
    ['Text', 'As text'],
    ['Source', 'MIME-Version'],
    ['Headers', '4711'],
    ['Attachments', 'This email has no attachments.'],
  ] as const) {
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tabpanel', { name }).getByText(content).first().waitFor()
  }
  await page.keyboard.press('Home')
  await page.getByRole('tabpanel', { name: 'HTML' }).waitFor()
})
