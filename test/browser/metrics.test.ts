import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayFromMidnight } from '../patience.ts'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const names = ['Emails over time', 'Delivery rate', 'Opens and clicks', 'SMS', 'WhatsApp', 'Workflows', 'Webhooks']

test('each figure says itself in words, steps by arrow keys and is shown as a table', async () => {
  await awayFromMidnight()
  for (const to of ['ada', 'grace', 'alan'].map((name) => `${name}@example.com`)) {
    await posthorn.api('POST', '/v1/emails', { from: 'hello@sandbox.test', to: [to], subject: 'Hello', text: 'Hi' })
  }
  const page = await posthorn.open('/app/metrics')
  for (const name of names) await page.getByRole('figure', { name, exact: true }).waitFor()
  const figure = page.getByRole('figure', { name: 'Emails over time' })
  await eventually(async () => assert.match(await figure.innerText(), /3 sent, 3 delivered/))
  const plot = figure.getByRole('slider')
  await plot.press('End')
  assert.match((await plot.getAttribute('aria-valuetext')) ?? '', /: 3 sent, 3 delivered/)
  await plot.press('ArrowLeft')
  assert.match((await plot.getAttribute('aria-valuetext')) ?? '', /: 0 sent/)
  await checkAccessibility(page)
  await figure.getByRole('button', { name: 'Show as table' }).click()
  assert.equal(await figure.getByRole('row').count(), 31)
  await checkAccessibility(page)
})

test('a period and a domain are kept in the address', async () => {
  const page = await posthorn.open('/app/metrics')
  await page.getByLabel('Period').selectOption({ label: 'Last 24 hours' })
  await page.getByLabel('Domain').selectOption({ label: 'sandbox.test' })
  await eventually(() => assert.match(page.url(), /period=24h&domainId=/))
  const figure = page.getByRole('figure', { name: 'Emails over time' })
  await eventually(async () => assert.match(await figure.innerText(), /3 sent/))
  await page.reload()
  assert.equal(await page.getByLabel('Period').inputValue(), '24h')
})

test('figures are narrowed by a workflow, a broadcast or a tag, one at a time', async () => {
  const { body: workflow } = await posthorn.api('POST', '/v1/workflows', { name: 'Welcome' })
  const tagged = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' }
  await posthorn.api('POST', '/v1/emails', { ...tagged, tags: { kind: 'receipt' } })
  const page = await posthorn.open('/app/metrics')
  const figure = page.getByRole('figure', { name: 'Emails over time' })
  await page.getByLabel('Workflow', { exact: true }).selectOption({ label: 'Welcome' })
  await eventually(async () => assert.match(await figure.innerText(), /0 sent/))
  assert.match(page.url(), new RegExp(`workflowId=${workflow.id}`))
  await page.getByLabel('Tag').fill('kind:receipt')
  await page.getByLabel('Tag').press('Enter')
  await eventually(async () => assert.match(await figure.innerText(), /1 sent/))
  assert.doesNotMatch(page.url(), /workflowId/)
  await checkAccessibility(page)
})
