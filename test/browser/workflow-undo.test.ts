import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

type Node = { id: string; type: string; name?: string; config?: object; position?: { x: number; y: number } }

/** Draws a chain of these steps, and opens it. */
async function draw(name: string, nodes: Node[], step: string): Promise<{ id: string; page: Page }> {
  const connections = nodes.slice(1).map(({ id }, index) => ({ id: `c-${id}`, source: nodes[index]!.id, target: id }))
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name })).body
  const { status, body } = await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes, connections })
  assert.equal(status, 200, JSON.stringify(body))
  return { id, page: await posthorn.open(`/app/workflows/${id}?step=${step}`) }
}

const settings = (page: Page) => page.getByRole('region', { name: 'Step settings' })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('button')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const start: Node = { id: 'start', type: 'manual', position: { x: 0, y: 0 } }

test('Undo takes back what was typed into one field, and what was typed after a save', async () => {
  const { page } = await draw('Fields', [start, { id: 'mail', type: 'send_email' }], 'mail')
  const from = settings(page).getByLabel('From')
  const subject = settings(page).getByLabel('Subject')
  const shows = (sender: string, title: string) =>
    eventually(async () => assert.deepEqual([await from.inputValue(), await subject.inputValue()], [sender, title]))
  await from.fill('hello@sandbox.test')
  await subject.pressSequentially('One')
  await button(page, 'Save').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await subject.fill('One and two')
  await button(page, 'Undo').click()
  await shows('hello@sandbox.test', 'One')
  await button(page, 'Undo').click()
  await shows('hello@sandbox.test', '')
  await button(page, 'Redo').click()
  await button(page, 'Redo').click()
  await shows('hello@sandbox.test', 'One and two')
})

test('Undo takes back the move of one step', async () => {
  const wait = (id: string, y: number) => ({ id, type: 'delay', name: id, position: { x: 0, y } })
  const { id, page } = await draw('Moves', [start, wait('Early', 110), wait('Late', 220)], 'start')
  const step = (name: string) => page.getByRole('region', { name: 'Canvas' }).getByRole('group', { name, exact: true })
  for (const name of ['Early', 'Late']) {
    await step(name).click()
    await page.keyboard.press('ArrowRight')
  }
  await button(page, 'Undo').click()
  await button(page, 'Save').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const { nodes } = (await posthorn.api('GET', `/v1/workflows/${id}`)).body
  const [, early, late] = nodes.map(({ position }: { position: { x: number } }) => position.x)
  assert.ok(early > 0, 'the first move stays')
  assert.equal(late, 0)
})

test('forty edits of a large graph are undone and redone to their ends, over a save, and kept when the page is left', async () => {
  const many = Array.from({ length: 150 }, (_, n) => ({ id: `n${n}`, type: 'delay', name: `n${n}` }))
  const { id, page } = await draw('Large', [start, ...many], 'n149')
  const count = (expected: number) => eventually(async () => assert.equal(await steps(page).count(), expected))
  const storedCount = async () => (await posthorn.api('GET', `/v1/workflows/${id}`)).body.nodes.length
  await count(151)
  const remove = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const before = await steps(page).count()
      await steps(page).last().click()
      await button(page, 'Remove step').click()
      await count(before - 1)
    }
  }
  await remove(20)
  await button(page, 'Save').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.equal(await storedCount(), 131)
  await remove(20)
  const pressToEnd = async (name: string) => {
    while (await button(page, name).isEnabled()) await button(page, name).click()
  }
  await pressToEnd('Undo')
  await count(151)
  await page.getByText('Not saved', { exact: true }).waitFor()
  await pressToEnd('Redo')
  await count(111)
  await page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor()
  await page.goBack()
  await page.getByText('Draft kept').waitFor()
  await count(111)
  await button(page, 'Undo').click()
  await count(131)
  await button(page, 'Redo').click()
  await count(111)
  await button(page, 'Save').click()
  await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await storedCount(), 111)
})
