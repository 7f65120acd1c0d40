import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const wabaId = '102290129340398'
const grace = '+447700900124'
const numbers = [
  { name: 'Support', phoneNumber: '+447700900100', phoneNumberId: '106540352242922' },
  { name: 'Sales', phoneNumber: '+447700900101', phoneNumberId: '106540352242923' },
]
const senderIds: string[] = []

async function post(path: string, body?: unknown) {
  const answer = await posthorn.api('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function createTemplate(name: string) {
  const { id } = await post('/v1/whatsapp/templates', { name, body: 'Hello {{1}}' })
  const stored = async () => {
    const { status, body, category } = (await posthorn.api('GET', `/v1/whatsapp/templates/${id}`)).body
    return [status, body, category]
  }
  return { id, stored, page: await posthorn.open(`/app/whatsapp/templates/${id}`) }
}

before(async () => {
  for (const number of numbers) {
    const { id } = await post('/v1/whatsapp/senders', { ...number, wabaId })
    await post(`/v1/whatsapp/senders/${id}/verify`)
    senderIds.push(id)
  }
})

test('Submit saves what is typed, and submits nothing if the save is refused', async () => {
  posthorn.mayLog(/status of 4(00|09)/)
  const { id, stored, page } = await createTemplate('saved_first')
  const submit = () => page.getByRole('button', { name: 'Submit' }).click()
  await page.getByLabel('Body').fill('Hello {{3}}')
  await submit()
  await page.getByRole('alert').filter({ hasText: '{{1}} is missing' }).waitFor()
  assert.equal(await page.getByLabel('Body').getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await stored(), ['draft', 'Hello {{1}}', 'utility'])
  await page.getByLabel('Body').fill('Hi {{1}}')
  await page.getByRole('textbox', { name: 'Components' }).fill('[')
  await submit()
  await page.getByRole('alert').filter({ hasText: 'must be a JSON object' }).waitFor()
  assert.deepEqual(await stored(), ['draft', 'Hello {{1}}', 'utility'])
  await page.getByRole('textbox', { name: 'Components' }).fill('')
  const message = 'The template is being reviewed elsewhere.'
  await page.route(
    `**/v1/whatsapp/templates/${id}/submit`,
    (route) => route.fulfill({ status: 409, json: { message } }),
    {
      times: 1,
    },
  )
  await submit()
  await page.getByRole('alert').getByText(message).waitFor()
  await checkAccessibility(page)
  await submit()
  await page.getByRole('list', { name: 'Approval' }).getByText('WhatsApp reviews the template.').waitFor()
  assert.deepEqual(await stored(), ['submitted', 'Hi {{1}}', 'utility'])
})

test('Enter in a field saves a template and does not submit it', async () => {
  const { stored, page } = await createTemplate('by_enter')
  await page.getByLabel('Body').fill('Hi {{1}}')
  await page.getByLabel('Language').press('Enter')
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.deepEqual(await stored(), ['draft', 'Hi {{1}}', 'utility'])
})

test('what another person saves while a template is being written is told, and submitted with it', async () => {
  const { id, stored, page } = await createTemplate('together')
  await page.getByLabel('Body').fill('Hi {{1}}')
  await posthorn.api('PATCH', `/v1/whatsapp/templates/${id}`, { category: 'marketing' })
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else changed this template' })
  await alert.getByText('Category now holds what they saved').waitFor()
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('list', { name: 'Approval' }).getByText('WhatsApp reviews the template.').waitFor()
  assert.deepEqual(await stored(), ['submitted', 'Hi {{1}}', 'marketing'])
})

test('a template that was begun in a conversation leaves from no other sender than that of its conversation', async () => {
  const { id } = await post('/v1/whatsapp/templates', { name: 'still_there', body: 'Hello {{1}}' })
  await post(`/v1/whatsapp/templates/${id}/submit`)
  const approval = { type: 'template_status', wabaId, templateName: 'still_there', language: 'en', status: 'approved' }
  const timestamp = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const written = numbers.map(({ phoneNumberId }) => ({
    ...{ type: 'message', phoneNumberId, from: grace, text: 'Hello', timestamp },
    providerMessageId: `in-${phoneNumberId}`,
  }))
  await post('/providers/capture/whatsapp', { events: [approval, ...written] })
  const { data } = (await posthorn.api('GET', '/v1/whatsapp/conversations')).body
  const [support, sales] = senderIds.map((senderId) =>
    data.find((one: { senderId: string }) => one.senderId === senderId),
  )

  const page = await posthorn.open(`/app/whatsapp/conversations/${support.id}`)
  const open = () => page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await open()
  await dialog.getByLabel('Variable 1').fill('Half written')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`${posthorn.url}/app/whatsapp/conversations/${sales.id}`)
  await open()
  await dialog.getByLabel('Variable 1').waitFor()
  assert.equal(await dialog.getByLabel('Variable 1').inputValue(), '')
  await dialog.getByLabel('Variable 1').fill('Grace')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('log', { name: 'Conversation' }).getByText('Hello Grace').waitFor()
  await page.goto(`${posthorn.url}/app/whatsapp/conversations/${support.id}`)
  await open()
  await dialog.getByText('Draft kept').waitFor()
  assert.equal(await dialog.getByLabel('Variable 1').inputValue(), 'Half written')
  assert.equal(await page.getByRole('log', { name: 'Conversation' }).getByText('Hello Grace').count(), 0)
})
