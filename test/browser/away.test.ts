import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

/** The page asks every ten seconds at most whether the server is back. */
const gone = { state: 'detached' } as const

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const notice = (page: Page) => page.getByRole('alert').getByText('Trying again by itself')

test('a server that is killed and started again while forms are open loses nothing typed, and each is saved', async () => {
  posthorn.mayLog(/ERR_|Failed to load|status of 50\d/)
  const { id } = (await posthorn.api('POST', '/v1/templates', { name: 'Welcome', text: 'Hi' })).body
  const workflow = (await posthorn.api('POST', '/v1/workflows', { name: 'Hello' })).body.id
  const graph = { nodes: [{ id: 'start', type: 'manual' }], connections: [] }
  await posthorn.api('PATCH', `/v1/workflows/${workflow}`, graph)
  const compose = await posthorn.open('/app/emails/new')
  await field(compose, 'From').fill('hello@sandbox.test')
  await field(compose, 'To').fill('ada@example.com')
  await field(compose, 'Subject').fill('Through the night')
  await field(compose, 'Text').fill('Hello')
  const template = await posthorn.open(`/app/templates/${id}`)
  await field(template, 'Text').fill('Hi again')
  const editor = await posthorn.open(`/app/workflows/${workflow}?step=start`)
  await field(editor, 'Name').fill('Renamed')

  const startAgain = await posthorn.killServer()
  await compose.bringToFront()
  await compose.getByRole('button', { name: 'Send', exact: true }).click()
  await notice(compose).waitFor()
  await compose.getByRole('alert').getByText('What you entered is kept').waitFor()
  await template.bringToFront()
  await template.getByRole('button', { name: 'Save' }).click()
  await notice(template).waitFor()
  await editor.bringToFront()
  await editor.getByRole('button', { name: 'Save' }).click()
  await notice(editor).waitFor()
  await startAgain()

  // A save begins by reading, which waits for the server and then goes on.
  await editor.getByText('Not saved', { exact: true }).waitFor(gone)
  assert.equal((await posthorn.api('GET', `/v1/workflows/${workflow}`)).body.nodes[0].name, 'Renamed')
  await template.bringToFront()
  await template.getByText('Not saved yet').waitFor(gone)
  assert.equal((await posthorn.api('GET', `/v1/templates/${id}`)).body.text, 'Hi again')
  await compose.bringToFront()
  await notice(compose).waitFor(gone)
  assert.equal(await field(compose, 'Subject').inputValue(), 'Through the night')
  await compose.getByRole('button', { name: 'Send', exact: true }).click()
  await compose.getByRole('heading', { level: 1, name: 'Through the night' }).waitFor()
  const { data } = (await posthorn.api('GET', '/v1/emails')).body
  assert.equal(data.length, 1)
})

test('an answer that is lost on the way is no second email', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const page = await posthorn.open('/app/emails/new')
  await field(page, 'From').fill('hello@sandbox.test')
  await field(page, 'To').fill('ada@example.com')
  await field(page, 'Subject').fill('Sent once')
  await field(page, 'Text').fill('Hello')
  await page.route(
    '**/v1/emails',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').getByText('What you entered is kept').waitFor()
  await page.reload()
  await page.getByText('Draft kept').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sent once' }).waitFor()
  const { data } = (await posthorn.api('GET', '/v1/emails')).body
  assert.equal(data.filter(({ subject }: { subject: string }) => subject === 'Sent once').length, 1)
})

/** Loses the answer to the next request of a method, which the server carries out. */
async function loseAnswer(page: Page, path: string): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
      await page.unrouteAll()
    },
  )
}

async function post(path: string, body?: unknown) {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

async function count(path: string): Promise<number> {
  return (await posthorn.api('GET', path)).body.data.length
}

test('an answer that is lost on the way is no second SMS, also when the dialog is closed and opened again', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const { id } = await post('/v1/sms/senders', { name: 'Shop', senderId: 'Posthorn' })
  await post(`/v1/sms/senders/${id}/verify`)
  const page = await posthorn.open('/app/sms')
  const dialog = page.getByRole('dialog', { name: 'Send SMS' })
  const send = () => dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Send SMS' }).click()
  await dialog.getByLabel('To').fill('+61491570156')
  await dialog.getByLabel('Message', { exact: true }).fill('Your order has shipped')
  await loseAnswer(page, '/v1/sms')
  await send()
  await dialog.getByRole('alert').getByText('What you entered is kept').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send SMS' }).click()
  await dialog.getByText('Draft kept').waitFor()
  await send()
  await page.getByRole('heading', { level: 1, name: '+61491570156' }).waitFor()
  assert.equal(await count('/v1/sms'), 1)
})

test('an answer that is lost on the way is no second WhatsApp reply, and the same words can be sent again', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const phones = { phoneNumber: '+447700900100', wabaId: '102290129340398', phoneNumberId: '106540352242922' }
  const { id } = await post('/v1/whatsapp/senders', { name: 'Support', ...phones })
  await post(`/v1/whatsapp/senders/${id}/verify`)
  const event = { type: 'message', phoneNumberId: phones.phoneNumberId, from: '+447700900123', text: 'Hello?' }
  await post('/providers/capture/whatsapp', { events: [{ ...event, providerMessageId: 'in-1' }] })
  const conversation = (await posthorn.api('GET', '/v1/whatsapp/conversations')).body.data[0].id
  const page = await posthorn.open(`/app/whatsapp/conversations/${conversation}`)
  const reply = async () => {
    await field(page, 'Reply').fill('Yes')
    await page.getByRole('button', { name: 'Send reply' }).click()
  }
  await loseAnswer(page, '/v1/whatsapp/messages')
  await reply()
  await page.getByRole('alert').getByText('What you entered is kept').waitFor()
  await page.reload()
  await page.getByText('Draft kept').waitFor()
  await reply()
  await page.getByText('Draft kept').waitFor(gone)
  assert.equal(await count('/v1/whatsapp/messages'), 2)
  await reply()
  await eventually(async () => assert.equal(await count('/v1/whatsapp/messages'), 3))
})

test('a person whose answer is lost is told to look before making the same thing again', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const page = await posthorn.open('/app/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByLabel('Endpoint URL').fill('https://example.com/hook')
  await dialog.getByLabel('email.sent').check()
  await loseAnswer(page, '/v1/webhooks')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').getByText('look whether this was done before you try again').waitFor()
  assert.equal(await count('/v1/webhooks'), 1)
})

test('an answer that is lost on the way is no second execution', async () => {
  posthorn.mayLog(/ERR_|Failed to load/)
  const { id } = await post('/v1/workflows', { name: 'Once' })
  const graph = { nodes: [{ id: 'start', type: 'manual' }], connections: [] }
  await posthorn.api('PATCH', `/v1/workflows/${id}`, graph)
  await post(`/v1/workflows/${id}/activate`)
  const page = await posthorn.open(`/app/workflows/${id}`)
  const dialog = page.getByRole('dialog', { name: 'Run' })
  const run = async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  }
  await loseAnswer(page, `/v1/workflows/${id}/executions`)
  await run()
  await dialog.getByRole('alert').getByText('What you entered is kept').waitFor()
  await page.reload()
  await run()
  await page.getByRole('heading', { level: 1, name: 'Execution' }).waitFor()
  assert.equal(await count(`/v1/workflows/${id}/executions`), 1)
})

test('a proxy that answers for a server that is away is no refusal, and the page goes on when it is back', async () => {
  posthorn.mayLog(/status of 502/)
  const page = await posthorn.open('/app/segments')
  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  let isAway = true
  await page.route(/\/(v1|health)/, (route) =>
    isAway && !route.request().url().includes('/live')
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Through a proxy')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await notice(page).waitFor()
  assert.equal(await page.getByText('Bad Gateway').count(), 0)
  isAway = false
  await notice(page).waitFor(gone)
  assert.equal(await name.inputValue(), 'Through a proxy')
})
