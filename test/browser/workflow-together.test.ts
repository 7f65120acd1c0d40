import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const graphOf = (name: string) => ({ nodes: [{ id: 'start', type: 'manual', name }], connections: [] })

async function draw(name: string): Promise<string> {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Together' })).body
  assert.equal((await posthorn.api('PATCH', `/v1/workflows/${id}`, graphOf(name))).status, 200)
  return `/v1/workflows/${id}`
}

const stored = async (path: string) => (await posthorn.api('GET', path)).body.nodes[0].name
const step = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: new RegExp(`^${name}`) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an editor that activates what somebody else has just saved shows it, and a later save keeps it', async () => {
  const path = await draw('Before')
  const page = await posthorn.open('/app/workflows')
  // No hint tells the page of the save.
  await page.route('**/v1/live', () => undefined)
  await page.goto(posthorn.url + path.replace('/v1', '/app'))
  await step(page, 'Before').waitFor()
  await posthorn.api('PATCH', path, graphOf('Theirs'))
  await button(page, 'Activate').click()
  await button(page, 'Deactivate').waitFor()
  await step(page, 'Theirs').waitFor()
  await button(page, 'Deactivate').click()
  await button(page, 'Save').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.equal(await stored(path), 'Theirs')
  await page.reload()
  await step(page, 'Theirs').waitFor()
  assert.equal(await page.getByText('Draft kept').count(), 0)
})

test('a kept draft is still told of what somebody else saved after the workflow is deactivated', async () => {
  const path = await draw('Before')
  const page = await posthorn.open(`${path.replace('/v1', '/app')}?step=start`)
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click()
  await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
  await posthorn.api('PATCH', path, graphOf('Theirs'))
  assert.equal((await posthorn.api('POST', `${path}/activate`)).status, 200)
  await page.goBack()
  const told = page.getByRole('alert').filter({ hasText: 'Somebody else changed this workflow' })
  await told.waitFor()
  await button(page, 'Deactivate').click()
  await button(page, 'Activate').waitFor()
  await step(page, 'Mine').waitFor()
  await told.waitFor()
  assert.equal(await stored(path), 'Theirs')
  await told.getByRole('button', { name: 'Load theirs' }).click()
  await step(page, 'Theirs').waitFor()
})
