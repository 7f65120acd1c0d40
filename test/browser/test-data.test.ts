import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const phone = '+61491570156'
let key = ''

/** Calls the API with the test key. */
async function asTest(path: string, body?: unknown) {
  const authorization = `Bearer ${key}`
  const content = body !== undefined && { body: JSON.stringify(body) }
  const headers = { authorization, ...(content && { 'content-type': 'application/json' }) }
  const answer = await fetch(posthorn.url + path, { method: 'POST', headers, ...content })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  return JSON.parse(text)
}

function sendTestMail(subject: string, more: object = {}) {
  return asTest('/v1/emails', { from: 'app@anywhere.example', to: ['ada@example.com'], subject, text: 'Hi', ...more })
}

async function sendLiveMail(subject: string) {
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject, text: 'Hi' }
  assert.equal((await posthorn.api('POST', '/v1/emails', email)).status, 200)
}

const toTest = (page: Page) => page.getByRole('link', { name: 'Show test messages' })

test('the dialog of a new test key leads to what the key sends', async () => {
  await sendLiveMail('A live one')
  const page = await posthorn.open('/app/emails')
  await page.getByRole('link', { name: 'A live one' }).waitFor()
  assert.equal(await toTest(page).count(), 0)
  await page.goto(`${posthorn.url}/app/api-keys`)
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await dialog.getByLabel('Name').fill('Trial')
  await dialog.getByLabel('Full access').check()
  await dialog.getByLabel('Test').check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const saved = page.getByRole('dialog', { name: 'Save your API key' })
  key = await saved.getByLabel('API key').inputValue()
  await checkAccessibility(page)
  const opened = page.waitForEvent('popup')
  await toTest(page).click()
  const inbox = await opened
  await inbox.getByText('No messages yet').waitFor()
  await sendTestMail('From the trial')
  await inbox.getByRole('link', { name: /From the trial/ }).waitFor()
  assert.equal(await inbox.getByRole('link', { name: /A live one/ }).count(), 0)
})

test('the page of emails leads to test emails as soon as there are any, and back', async () => {
  const page = await posthorn.open('/app/emails')
  await page.getByRole('link', { name: 'A live one' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'From the trial' }).count(), 0)
  await toTest(page).click()
  await page.getByText('Test data.').waitFor()
  await page.getByRole('link', { name: 'From the trial' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'A live one' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Compose' }).count(), 0)
  await sendTestMail('Arrives by itself')
  await page.getByRole('link', { name: 'Arrives by itself' }).waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Search emails').fill('nothing like this')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Arrives by itself' }).click()
  await page.getByRole('heading', { level: 1, name: 'Arrives by itself' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Emails' }).click()
  await page.getByText('Test data.').waitFor()
  await page.getByRole('link', { name: 'Show live messages' }).click()
  await page.getByRole('link', { name: 'A live one' }).waitFor()
})

test('a test email has its own page, with its preview, its timeline, its attachments and its changes', async () => {
  const file = { filename: 'invoice.pdf', content: 'aGVsbG8=' }
  const sent = await sendTestMail('With a file', { html: '<p>Hello Ada</p>', attachments: [file] })
  const page = await posthorn.open(`/app/emails/${sent.id}?mode=test`)
  await page.getByRole('heading', { level: 1, name: 'With a file' }).waitFor()
  await page.getByText('Test data.').waitFor()
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Hello Ada').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor()
  await checkAccessibility(page)
  await page.getByRole('tab', { name: 'Attachments', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'invoice.pdf' }).click()
  assert.equal((await download).suggestedFilename(), 'invoice.pdf')
  const later = await sendTestMail('Later', { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  await page.goto(`${posthorn.url}/app/emails/${later.id}?mode=test`)
  await page.getByRole('button', { name: 'Cancel email' }).click()
  await page.getByRole('dialog', { name: 'Cancel email?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled').waitFor()
})

test('a test email of a broadcast names the broadcast, whose page shows live ones alone, without a link', async () => {
  const { id: segmentId } = await asTest('/v1/segments', { name: 'Trial' })
  const contact = await asTest('/v1/contacts', { email: 'grace@example.com' })
  await asTest(`/v1/segments/${segmentId}/contacts`, { contactIds: [contact.id] })
  const content = { from: 'news@anywhere.example', subject: 'Trial news', text: 'Hi' }
  const { id } = await asTest('/v1/broadcasts', { name: 'Trial news', segmentId, ...content })
  await asTest(`/v1/broadcasts/${id}/send`)
  const page = await posthorn.open('/app/emails?mode=test')
  await page.getByRole('link', { name: 'Trial news' }).click()
  await page.getByText('A broadcast', { exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'A broadcast' }).count(), 0)
})

test('the inbox searches, shows and deletes test emails', async () => {
  await sendTestMail('A needle', { html: '<p>Sharp</p>' })
  const page = await posthorn.open('/app/inbox')
  await page.getByRole('link', { name: /A live one/ }).waitFor()
  await toTest(page).click()
  await page.getByRole('link', { name: /From the trial/ }).waitFor()
  await page.getByLabel('Search messages').fill('needle')
  await page.getByRole('link', { name: /From the trial/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /A needle/ }).click()
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Sharp').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor()
  await checkAccessibility(page)
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByRole('tabpanel', { name: 'Source' }).getByText('MIME-Version').waitFor()
  await page.getByRole('button', { name: 'Delete message' }).click()
  await page.getByRole('dialog', { name: 'Delete message?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No message matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: /From the trial/ }).click()
  await page.getByRole('link', { name: 'Open in Emails' }).click()
  await page.getByRole('heading', { level: 1, name: 'From the trial' }).waitFor()
})

test('a conversation by SMS is held in test mode, as the phone too', async () => {
  const sender = (await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })).body
  await posthorn.api('POST', `/v1/sms/senders/${sender.id}/verify`)
  await asTest('/v1/sms', { to: phone, senderId: sender.id, body: 'Your test code is 4711' })
  const page = await posthorn.open('/app/inbox?mode=test')
  await page.getByRole('tab', { name: 'SMS' }).click()
  await answerAsPhone(page, phone, 'Your test code is 4711')
  await page.getByRole('link', { name: 'Show live messages' }).click()
  await page.getByText('No messages yet').waitFor()
  await toTest(page).click()
  await page.getByRole('link', { name: phone }).waitFor()
})

test('a conversation by WhatsApp is held in test mode, as the phone too', async () => {
  const number = { phoneNumber: '+447700900100', wabaId: '102290129340398', phoneNumberId: '106540352242922' }
  const sender = (await posthorn.api('POST', '/v1/whatsapp/senders', { name: 'Support', ...number })).body
  await posthorn.api('POST', `/v1/whatsapp/senders/${sender.id}/verify`)
  const template = (await posthorn.api('POST', '/v1/whatsapp/templates', { name: 'hello', body: 'Hello tester' })).body
  const to = '+447700900124'
  await asTest('/v1/whatsapp/messages', { senderId: sender.id, to, templateId: template.id })
  const page = await posthorn.open('/app/inbox?mode=test&channel=whatsapp')
  await answerAsPhone(page, to, 'Hello tester')
})

async function answerAsPhone(page: Page, number: string, got: string): Promise<void> {
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: number }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText(got).waitFor()
  await page.getByLabel('Reply as this phone').fill('Thank you')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await log.getByText('Thank you').waitFor()
  await checkAccessibility(page)
}

test('the palette finds a test email by its id everywhere, and by its text among test data', async () => {
  const { id } = await sendTestMail('Sought')
  const page = await posthorn.open('/app')
  for (const text of [id, 'sought']) {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.waitFor()
    await page.keyboard.type(text)
    await palette.getByRole('option', { name: 'Sought' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sought' }).waitFor()
    await page.goto(`${posthorn.url}/app/emails?mode=test`)
  }
})

test('emptying the test inbox leaves the live one', async () => {
  const page = await posthorn.open('/app/inbox?mode=test')
  await page.getByRole('link', { name: /From the trial/ }).waitFor()
  await page.getByRole('button', { name: 'Empty inbox' }).click()
  await page.getByRole('dialog', { name: 'Empty inbox?' }).getByRole('button', { name: 'Empty' }).click()
  await page.getByText('No messages yet').waitFor()
  await page.getByRole('link', { name: 'Show live messages' }).click()
  await page.getByRole('link', { name: /A live one/ }).waitFor()
  assert.equal(await toTest(page).count(), 0)
})
