import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { keyboardOf } from './keyboard.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function open() {
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, keys: keyboardOf(page) }
}

test('an email is composed, scheduled, found in the list and cancelled by keyboard alone', async () => {
  const { page, keys } = await open()
  await page.keyboard.press('c')
  await heading(page, 'Compose')
  await keys.type(page.getByLabel('From', { exact: true }), 'hello@sandbox.test')
  await keys.type(page.getByLabel('To', { exact: true }), 'ada@example.com')
  await keys.type(page.getByLabel('Subject'), 'By keyboard')
  await keys.type(page.getByRole('textbox', { name: 'HTML' }), '<p>Hello')
  await keys.press(page.getByRole('button', { name: 'Schedule' }))
  await keys.press(page.getByRole('dialog', { name: 'Schedule' }).getByRole('button', { name: 'Schedule' }))
  await heading(page, 'By keyboard')
  await keys.go('e')
  await heading(page, 'Emails')
  await page.getByRole('table', { name: 'Emails' }).getByRole('link', { name: 'By keyboard' }).waitFor()
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await keys.press(page.getByRole('button', { name: 'Cancel email' }))
  const question = page.getByRole('dialog', { name: 'Cancel email?' })
  await keys.press(question.getByRole('button', { name: 'Cancel', exact: true }))
  await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled').waitFor()
})

test('a broadcast is created, reviewed and sent by keyboard alone', async () => {
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Readers' })
  const { body: contact } = await posthorn.api('POST', '/v1/contacts', { email: 'reader@example.com' })
  await posthorn.api('POST', `/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const { page, keys } = await open()
  await keys.go('b')
  await heading(page, 'Broadcasts')
  await keys.press(page.getByRole('main').getByRole('link', { name: 'Create broadcast' }).first())
  await heading(page, 'New broadcast')
  await keys.type(page.getByLabel('Name', { exact: true }), 'July news')
  await keys.type(page.getByLabel('From', { exact: true }), 'news@sandbox.test')
  await keys.choose(page.getByLabel('Segment'), 'Readers')
  await keys.type(page.getByLabel('Subject'), 'News')
  await keys.type(page.getByRole('textbox', { name: 'HTML' }), '<p>Hello')
  await keys.press(page.getByRole('button', { name: 'Save draft' }))
  await heading(page, 'July news')
  await keys.press(page.getByRole('button', { name: 'Review and send' }))
  await keys.press(page.getByRole('dialog', { name: 'Send July news?' }).getByRole('button', { name: 'Send now' }))
  await page.getByRole('region', { name: 'Results' }).waitFor()
})

test('an SMS is sent, and a WhatsApp conversation answered, by keyboard alone', async () => {
  const { body: sender } = await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })
  await posthorn.api('POST', `/v1/sms/senders/${sender.id}/verify`)
  const number = { phoneNumber: '+447700900100', wabaId: '102290129340398', phoneNumberId: '106540352242922' }
  const { body: support } = await posthorn.api('POST', '/v1/whatsapp/senders', { name: 'Support', ...number })
  await posthorn.api('POST', `/v1/whatsapp/senders/${support.id}/verify`)
  const message = { type: 'message', phoneNumberId: number.phoneNumberId, from: '+447700900123', text: 'Where is it?' }
  const received = { ...message, providerMessageId: 'in-1', timestamp: new Date().toISOString() }
  await posthorn.api('POST', '/providers/capture/whatsapp', { events: [received] })

  const { page, keys } = await open()
  await keys.go('s')
  await keys.press(page.getByRole('button', { name: 'Send SMS' }))
  const form = page.getByRole('dialog', { name: 'Send SMS' })
  await keys.type(form.getByLabel('To'), '+61491570156')
  await keys.type(form.getByLabel('Message', { exact: true }), 'It has shipped')
  await keys.press(form.getByRole('button', { name: 'Send' }))
  await heading(page, '+61491570156')

  await keys.go('w')
  await page.getByRole('link', { name: '+447700900123' }).waitFor()
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await keys.type(page.getByLabel('Reply'), 'With the carrier.')
  await keys.press(page.getByRole('button', { name: 'Send reply' }))
  await page.getByRole('log', { name: 'Conversation' }).getByText('With the carrier.').waitFor()
})

test('a template is written, previewed with test data and published by keyboard alone', async () => {
  const { page, keys } = await open()
  await keys.go('p')
  await heading(page, 'Templates')
  await keys.press(page.getByRole('main').getByRole('link', { name: 'Create template' }).first())
  await keys.type(page.getByLabel('Name', { exact: true }), 'Welcome')
  await keys.type(page.getByRole('textbox', { name: 'Text', exact: true }), 'Hello {{name}}')
  await keys.type(page.getByRole('group', { name: 'Test data' }).getByLabel('name', { exact: true }), 'Ada')
  await page.getByText('Hello Ada').first().waitFor()
  await keys.press(page.getByRole('button', { name: 'Save' }))
  await heading(page, 'Welcome')
  await keys.press(page.getByRole('button', { name: 'Publish' }))
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
})

test('contacts are added, changed and imported by keyboard alone', async () => {
  const { page, keys } = await open()
  await keys.go('c')
  await heading(page, 'Contacts')
  await keys.press(page.getByRole('button', { name: 'Add contact' }))
  const add = page.getByRole('dialog', { name: 'Add contact' })
  await keys.type(add.getByLabel('Email'), 'grace@example.com')
  await keys.press(add.getByRole('button', { name: 'Add', exact: true }))
  await add.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('grace')
  await keys.press(page.getByRole('table', { name: 'Contacts' }).getByRole('link', { name: 'grace@example.com' }))
  await heading(page, 'grace@example.com')
  await keys.press(page.getByRole('button', { name: 'Edit contact' }))
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  await keys.type(edit.getByLabel('Properties'), '{"city": "Oslo"}')
  await keys.press(edit.getByRole('button', { name: 'Save' }))
  await edit.waitFor({ state: 'hidden' })
  await page.getByText('Oslo').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  await page.keyboard.type('import')
  await page.keyboard.press('Enter')
  await heading(page, 'Import contacts')
  const asked = page.waitForEvent('filechooser')
  await keys.press(page.getByLabel('CSV file'))
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('email\nlin@example.com\n') }
  await (await asked).setFiles(file)
  await keys.press(page.getByRole('button', { name: 'Import', exact: true }))
  await page.getByText('1 created').waitFor()
})

test('segments, topics and suppressions are made, and one is removed, by keyboard alone', async () => {
  await posthorn.api('POST', '/v1/contacts', { email: 'found@example.com' })
  const { page, keys } = await open()
  for (const [key, verb, name] of [
    ['g', 'Create segment', 'Customers'],
    ['t', 'Create topic', 'Product news'],
  ] as const) {
    await keys.go(key)
    await keys.press(page.getByRole('main').getByRole('button', { name: verb }).first())
    await page.getByRole('dialog', { name: verb }).getByLabel('Name').waitFor()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await heading(page, name)
    await keys.press(page.getByRole('button', { name: 'Add contacts' }))
    const adding = page.getByRole('dialog', { name: 'Add contacts' })
    await keys.type(adding.getByRole('combobox', { name: 'Contact' }), 'found')
    await adding.getByRole('option', { name: 'found@example.com' }).waitFor()
    await page.keyboard.press('Enter')
    await adding.getByRole('list', { name: 'Chosen contacts' }).getByText('found@example.com').waitFor()
    await keys.press(adding.getByRole('button', { name: 'Add', exact: true }))
    await page
      .getByRole('table', { name: 'Contacts' })
      .getByRole('cell', { name: 'found@example.com', exact: true })
      .waitFor()
  }
  await keys.go('x')
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Add suppression' }).first())
  await page.getByRole('dialog', { name: 'Add suppression' }).waitFor()
  await page.keyboard.type('eve@example.com')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('button', { name: 'Remove eve@example.com' }))
  const question = page.getByRole('dialog', { name: 'Remove eve@example.com?' })
  await keys.press(question.getByRole('button', { name: 'Remove', exact: true }))
  await page.getByText('No suppressions yet').waitFor()
  await eventually(async () => assert.equal((await posthorn.api('GET', '/v1/suppressions')).body.data.length, 0))
})
