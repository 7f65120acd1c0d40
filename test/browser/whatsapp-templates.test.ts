import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

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
