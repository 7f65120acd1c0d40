import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Holds back the requests of a method to a path. Returns how to let them go on. */
async function hold(page: Page, method: string, path: string): Promise<(how: (route: Route) => Promise<void>) => void> {
  const { promise, resolve } = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(
    (url) => url.pathname.startsWith(path),
    async (route) => (route.request().method() === method ? (await promise)(route) : route.fallback()),
  )
  return resolve
}

async function followLink(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  await heading(page, name).waitFor()
}

async function compose(from: string): Promise<Page> {
  const page = await posthorn.open('/app/emails/new')
  await field(page, 'From').fill(from)
  await field(page, 'To').fill('ada@example.com')
  await field(page, 'Subject').fill('Hello')
  await field(page, 'Text').fill('Hello')
  return page
}

test('a person who goes on while an email is sent stays where they are and is told that it is sent', async () => {
  const page = await compose('hello@sandbox.test')
  const letGo = await hold(page, 'POST', '/v1/emails')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await followLink(page, 'Segments')
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  await field(page, 'Name').fill('Readers')
  letGo((route) => route.continue())
  await page.getByText('The email is sent').waitFor()
  assert.equal(await field(page, 'Name').inputValue(), 'Readers')
  assert.equal(new URL(page.url()).pathname, '/app/segments')
})

test('a person who goes on while an email is sent is told that it was refused', async () => {
  posthorn.mayLog(/status of 403/)
  const page = await compose('hello@elsewhere.test')
  const letGo = await hold(page, 'POST', '/v1/emails')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await followLink(page, 'Segments')
  letGo((route) => route.continue())
  await page.getByRole('alert').getByText('Compose: elsewhere.test is not a verified domain').waitFor()
})

test('a person who closes a question while the request is under way is told that it failed', async () => {
  posthorn.mayLog(/status of 500/)
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Kept' })).body
  const page = await posthorn.open(`/app/segments/${id}`)
  await page.getByRole('button', { name: 'Delete Kept' }).click()
  const letGo = await hold(page, 'DELETE', '/v1/segments')
  const question = page.getByRole('dialog', { name: 'Delete Kept?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  letGo((route) => route.fulfill({ status: 500, json: { message: 'The disk is full.' } }))
  await page.getByRole('alert').getByText('Delete Kept: The disk is full.').waitFor()
})

for (const { what, verb, said, start } of [
  {
    ...{ what: 'template', verb: 'Save', said: 'Saved' },
    start: () => posthorn.open('/app/templates/new'),
  },
  {
    ...{ what: 'broadcast', verb: 'Save draft', said: 'Draft saved' },
    async start() {
      await posthorn.api('POST', '/v1/segments', { name: 'Readers' })
      const page = await posthorn.open('/app/broadcasts/new')
      await field(page, 'From').fill('news@sandbox.test')
      await field(page, 'Segment').selectOption({ index: 1 })
      await field(page, 'Subject').fill('Hello')
      return page
    },
  },
])
  test(`a second press while the page of a new ${what} is on its way makes no second one`, async () => {
    const page = await start()
    await field(page, 'Name').fill('Once')
    await page.getByRole('textbox', { name: 'HTML' }).fill('<p>Hello</p>')
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === `/v1/${what}s`) asked++
    })
    const letGo = await hold(page, 'GET', '/app/assets/')
    const save = page.getByRole('button', { name: verb, exact: true })
    await save.click()
    await page.getByRole('status').getByText(said, { exact: true }).waitFor()
    await save.press('Enter')
    letGo((route) => route.continue())
    await heading(page, 'Once').waitFor()
    const { data } = (await posthorn.api('GET', `/v1/${what}s`)).body
    assert.deepEqual([asked, data.filter(({ name }: { name: string }) => name === 'Once').length], [1, 1])
  })

/** Answers, types on while the answer is being sent, and looks that what was typed is there, also after a reload. */
async function typeOn(page: Page, label: string, path: string): Promise<void> {
  const reply = field(page, label)
  const send = page.getByRole('button', { name: 'Send reply' })
  await reply.fill('One moment.')
  const letGo = await hold(page, 'POST', path)
  await send.click()
  await reply.fill('It is here.')
  letGo((route) => route.continue())
  await page.getByRole('log', { name: 'Conversation' }).getByText('One moment.').waitFor()
  await send.and(page.locator(':not([aria-busy])')).waitFor()
  assert.equal(await reply.inputValue(), 'It is here.')
  await page.reload()
  await page.getByText('Draft kept').waitFor()
  assert.equal(await reply.inputValue(), 'It is here.')
}

test('a reply by WhatsApp that is typed while the one before is sent stays', async () => {
  const [phoneNumberId, from] = ['106540352242922', '+447700900123']
  const sender = { name: 'Support', phoneNumber: '+447700900100', wabaId: '102290129340398', phoneNumberId }
  const { id } = (await posthorn.api('POST', '/v1/whatsapp/senders', sender)).body
  await posthorn.api('POST', `/v1/whatsapp/senders/${id}/verify`)
  const message = { type: 'message', phoneNumberId, from, text: 'Hello', providerMessageId: 'in-1' }
  await posthorn.api('POST', '/providers/capture/whatsapp', { events: [message] })
  const [conversation] = (await posthorn.api('GET', '/v1/whatsapp/conversations')).body.data
  const page = await posthorn.open(`/app/whatsapp/conversations/${conversation.id}`)
  await typeOn(page, 'Reply', '/v1/whatsapp/messages')
})

test('a reply as a phone in the inbox that is typed while the one before is sent stays', async () => {
  const { id } = (await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })).body
  await posthorn.api('POST', `/v1/sms/senders/${id}/verify`)
  await posthorn.api('POST', '/v1/sms', { to: '+61491570156', body: 'Your code is 123456', senderId: id })
  const page = await posthorn.open('/app/inbox?channel=sms')
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: '+61491570156' }).click()
  await typeOn(page, 'Reply as this phone', '/providers/capture/sms')
})

test('Back while a key is being made waits for the key, which is shown', async () => {
  const page = await posthorn.open('/app/segments')
  await followLink(page, 'API keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Late')
  const letGo = await hold(page, 'POST', '/v1/api-keys')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await page.evaluate(() => {
    addEventListener('popstate', () => document.body.setAttribute('data-at', location.pathname))
    history.back()
  })
  // The browser has gone back by then, and the page forward again.
  await eventually(async () => assert.equal(await page.evaluate(() => document.body.dataset.at), '/app/api-keys'))
  letGo((route) => route.continue())
  const secret = page.getByRole('dialog', { name: 'Save your API key' })
  assert.match(await secret.getByLabel('API key', { exact: true }).inputValue(), /^ph_/)
  await secret.getByRole('button', { name: 'Done' }).click()
  await page.evaluate(() => history.back())
  await heading(page, 'Segments').waitFor()
})

test('a workflow that is being duplicated is not duplicated a second time', async () => {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Twice' })).body
  const page = await posthorn.open(`/app/workflows/${id}`)
  const letGo = await hold(page, 'POST', `/v1/workflows/${id}/duplicate`)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Duplicate')
  await choose('Duplicating…')
  letGo((route) => route.continue())
  await heading(page, 'Twice (copy)').waitFor()
  const { data } = (await posthorn.api('GET', '/v1/workflows')).body
  assert.equal(data.filter(({ name }: { name: string }) => name === 'Twice (copy)').length, 1)
})
