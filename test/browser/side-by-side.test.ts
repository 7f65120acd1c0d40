import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('saving the settings of a domain leaves alone what another person has changed since the page was opened', async () => {
  const { id } = (await posthorn.api('POST', '/v1/domains', { name: 'shop.example.com' })).body
  const path = `/v1/domains/${id}`
  const page = await posthorn.open(`/app/domains/${id}`)
  const opens = page.getByLabel('Open tracking')
  await page.getByLabel('TLS').selectOption('enforced')
  assert.equal(await opens.isChecked(), false)
  await posthorn.api('PATCH', path, { openTracking: true })
  await eventually(async () => assert.equal(await opens.isChecked(), true, 'an untouched field follows'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('are saved').waitFor()
  const { openTracking, tls } = (await posthorn.api('GET', path)).body
  assert.deepEqual({ openTracking, tls }, { openTracking: true, tls: 'enforced' })
})

test('saving the team leaves the name that another person has given it meanwhile', async () => {
  const page = await posthorn.open('/app/settings')
  const name = page.getByLabel('Team name')
  await name.waitFor()
  const headers = { origin: posthorn.url }
  const renamed = await page.request.patch(`${posthorn.url}/v1/team`, { headers, data: { name: 'Renamed' } })
  assert.ok(renamed.ok(), await renamed.text())
  await eventually(async () => assert.equal(await name.inputValue(), 'Renamed'))
  await page.getByRole('button', { name: 'Save team' }).click()
  await page.getByRole('status').getByText('The team is saved').waitFor()
  assert.equal((await (await page.request.get(`${posthorn.url}/v1/team`)).json()).name, 'Renamed')
})

test('renaming a key in a dialog that was open before leaves its lowered permission', async () => {
  const { id } = (await posthorn.api('POST', '/v1/api-keys', { name: 'Shop', permission: 'full_access' })).body
  const page = await posthorn.open('/app/api-keys')
  await page.getByRole('button', { name: 'Edit Shop' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Shop' })
  await form.getByLabel('Name').fill('Store')
  await posthorn.api('PATCH', `/v1/api-keys/${id}`, { permission: 'sending_access' })
  await eventually(async () => assert.equal(await form.getByLabel('Sending access').isChecked(), true))
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Store is saved').waitFor()
  const { data } = (await posthorn.api('GET', '/v1/api-keys')).body
  const key = data.find((one: { id: string }) => one.id === id)
  assert.deepEqual([key.name, key.permission], ['Store', 'sending_access'])
})
