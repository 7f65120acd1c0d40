import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function post(path: string, body?: object) {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Looks at the words of the chosen option. */
async function says(menu: Locator, words: string): Promise<void> {
  const text = () => menu.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent ?? '')
  await eventually(async () => assert.match(await text(), new RegExp(words)))
}

test('a filter by a domain that is gone says so, and is taken back', async () => {
  posthorn.mayLog(/status of 4\d\d/)
  const { id } = await post('/v1/domains', { name: 'gone.example' })
  await posthorn.api('DELETE', `/v1/domains/${id}`)
  const page = await posthorn.open(`/app/emails?domainId=${id}`)
  const domain = page.getByRole('combobox', { name: 'Domain' })
  await says(domain, 'Not available')
  await domain.selectOption({ label: 'Any domain' })
  await page.waitForURL((url) => !url.searchParams.has('domainId'))
  await says(domain, 'Any domain')
})

test('Compose says that a chosen template is not available, and sends without it once none is chosen', async () => {
  const { id } = await post('/v1/templates', { name: 'Draft', html: '<p>Hello</p>' })
  const page = await posthorn.open(`/app/emails/new?template=${id}&to=ada@example.com`)
  const template = page.getByLabel('Template')
  await says(template, 'Not available')
  await template.selectOption({ label: 'No template' })
  await page.getByLabel('From', { exact: true }).fill('hello@sandbox.test')
  await page.getByLabel('Subject').fill('Without a template')
  await page.getByLabel('Text').fill('Hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Without a template' }).waitFor()
})

test('an SMS is not said to leave from another sender than the chosen one, when that is deleted meanwhile', async () => {
  const senders = []
  for (const name of ['First', 'Second']) {
    const { id } = await post('/v1/sms/senders', { name, senderId: name })
    await post(`/v1/sms/senders/${id}/verify`)
    senders.push(id)
  }
  const page = await posthorn.open('/app/sms')
  await page.getByRole('button', { name: 'Send SMS' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send SMS' })
  const sender = dialog.getByLabel('Sender')
  await sender.selectOption({ label: 'First (First)' })
  await posthorn.api('DELETE', `/v1/sms/senders/${senders[0]}`)
  await says(sender, 'Not available')
  await sender.selectOption({ label: 'Second (Second)' })
  await says(sender, 'Second')
})

test('a WhatsApp template that is deleted while it is chosen is not replaced by another one', async () => {
  const [wabaId, phoneNumberId] = ['102290129340398', '106540352242922']
  const sender = { name: 'Support', phoneNumber: '+447700900100', wabaId, phoneNumberId }
  await post(`/v1/whatsapp/senders/${(await post('/v1/whatsapp/senders', sender)).id}/verify`)
  const templates: string[] = []
  for (const templateName of ['first', 'second']) {
    const { id } = await post('/v1/whatsapp/templates', { name: templateName, body: `The ${templateName}: {{1}}` })
    await post(`/v1/whatsapp/templates/${id}/submit`)
    const approval = { type: 'template_status', wabaId, templateName, language: 'en', status: 'approved' }
    await post('/providers/capture/whatsapp', { events: [approval] })
    templates.push(id)
  }
  const page = await posthorn.open('/app/whatsapp')
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  const template = dialog.getByLabel('Template', { exact: true })
  const preview = dialog.getByRole('note', { name: 'Preview' })
  await template.selectOption({ label: 'first (en)' })
  await dialog.getByLabel('Variable 1').fill('Ada')
  await preview.getByText('The first: Ada').waitFor()
  await posthorn.api('DELETE', `/v1/whatsapp/templates/${templates[0]}`)
  await says(template, 'Not available')
  await preview.waitFor({ state: 'detached' })
  await template.selectOption({ label: 'second (en)' })
  await preview.getByText('The second: Ada').waitFor()
})
