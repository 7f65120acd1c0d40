import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

/** Returns the texts in the live regions of a page, as the browser hands them to a screen reader. */
async function announced(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const textOf = (id: string): string => {
    const node = byId.get(id)
    if (node?.role?.value === 'StaticText') return String(node.name?.value)
    return (node?.childIds ?? []).map(textOf).join('')
  }
  const isLive = ({ ignored, role }: (typeof nodes)[number]) => !ignored && /^(status|alert)$/.test(role?.value)
  return nodes.filter(isLive).map(({ nodeId }) => textOf(nodeId))
}

test('what is said in passing is announced over an open dialog, and after it has closed', async () => {
  const page = await posthorn.open('/app/api-keys')
  await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByText('Copied').waitFor()
  await eventually(async () => assert.ok((await announced(page)).includes('Copied')))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await eventually(async () => assert.ok((await announced(page)).some((text) => text.includes('revoked'))))
})

/** Returns what is put into the live regions of a page from now on, as `texts()`. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.getByRole('status').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
      for (const node of added) if (node.parentElement?.closest('[role=status]')) heard.push(node.textContent ?? '')
    }).observe(document.body, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

test('what a search has left of a list is announced once, and not again when the list is loaded anew', async () => {
  const suppress = (email: string) => posthorn.api('POST', '/v1/suppressions', { email })
  for (const name of ['ada', 'adam', 'grace']) await suppress(`${name}@told.test`)
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('cell', { name: 'grace@told.test', exact: true }).waitFor()
  const texts = await listen(page)
  const search = page.getByRole('searchbox', { name: 'Search suppressions' })
  await search.fill('ada')
  await eventually(async () => assert.ok((await announced(page)).includes('2 rows')))
  await suppress('adah@told.test')
  await page.getByRole('cell', { name: 'adah@told.test', exact: true }).waitFor()
  await search.fill('nobody')
  await eventually(async () => assert.ok((await announced(page)).includes('Nothing matches.')))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await eventually(async () => assert.deepEqual(await texts(), ['2 rows', 'Nothing matches.', '4 rows']))
})

test('a combobox in which nothing matches announces it over its dialog', async () => {
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Readers' })).body
  const page = await posthorn.open(`/app/segments/${id}`)
  await page.getByRole('button', { name: 'Add contacts' }).click()
  const field = page.getByRole('dialog').getByRole('combobox', { name: 'Contact' })
  await field.click()
  await field.fill('nowhere')
  await eventually(async () => assert.ok((await announced(page)).includes('Nothing matches.')))
})

test('the fault of several controls under one name describes their group', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await form.getByLabel('URL').fill('https://example.com/hook')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const events = form.getByRole('group', { name: 'Events' })
  const fault = await events.getByRole('alert').innerText()
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const group = nodes.find(({ role, name }) => role?.value === 'group' && name?.value === 'Events')
  assert.equal(group?.description?.value, fault)
})
