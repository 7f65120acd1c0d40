import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const pressesMax = 120
/** More than lie between any two controls of the editor. */
const tabsMax = 30

/**
 * Uses a page by keyboard alone and counts the presses. The text of a field counts as one press, whatever its length.
 */
function countingKeys(page: Page) {
  let presses = 0
  async function press(key: string): Promise<void> {
    presses++
    await page.keyboard.press(key)
  }
  const hasFocus = (control: Locator) => control.evaluate((element) => element.matches(':focus'))
  async function tabTo(control: Locator): Promise<void> {
    await control.waitFor()
    for (let step = 0; step < tabsMax && !(await hasFocus(control)); step++) await press('Tab')
    assert.ok(await hasFocus(control), `Tab leads to ${control}`)
  }
  async function write(field: Locator, text: string): Promise<void> {
    await tabTo(field)
    presses++
    await page.keyboard.type(text)
  }
  return { press, tabTo, write, count: () => presses, hasFocus }
}

test('a workflow of six steps is built and activated by keyboard with at most 120 presses', async () => {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Welcome' })).body
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Readers' })
  const page = await posthorn.open(`/app/workflows/${id}`)
  await page.getByText('No steps yet').waitFor()
  const keys = countingKeys(page)
  const settings = page.getByRole('region', { name: 'Step settings' })
  const field = (name: string) => settings.getByLabel(name, { exact: true })
  const dialog = page.getByRole('dialog', { name: 'Add step' })
  const steps = page.getByRole('list', { name: 'Steps' })

  /** Adds a step after the chosen one. `letters` lead to its type in the list. */
  async function add(title: string, letters: string): Promise<void> {
    if ((await steps.count()) > 0) await keys.press('Escape')
    await keys.press('a')
    const type = dialog.getByRole('button', { name: new RegExp(`^${title}`) })
    await keys.tabTo(dialog.getByRole('button', { name: /^(Manual|Send an email)/ }).first())
    for (const letter of letters) await keys.press(letter)
    assert.ok(await keys.hasFocus(type), `${letters} leads to ${title}`)
    await keys.press('Enter')
    await eventually(async () => assert.ok(await keys.hasFocus(field('Name')), `the first field of ${title}`))
    assert.equal(await field('Name').inputValue(), title)
  }

  async function addEmail(subject: string, text: string): Promise<void> {
    await add('Send an email', '')
    await keys.write(field('From'), 'Shop <hello@sandbox.test>')
    await keys.write(field('To'), '{{trigger.contact.email}}')
    await keys.write(field('Subject'), subject)
    await keys.write(settings.getByRole('textbox', { name: 'Text' }), text)
  }

  await add('Contact event', 'c')
  await keys.tabTo(field('Created'))
  await keys.press('Space')
  await addEmail('Welcome', 'Good to have you here.')
  await add('Delay', 'd')
  await keys.write(field('Duration'), '3d')
  await add('Filter', 'f')
  await keys.write(field('Left'), '{{trigger.contact.unsubscribed}}')
  await keys.write(field('Operator'), 'equals')
  await keys.write(field('Right'), 'false')
  await addEmail('How do you like it?', 'Tell us by answering.')
  await add('Add to a segment', 'a')
  await keys.write(field('Segment'), 'Read')
  await page.getByRole('option', { name: 'Readers' }).waitFor()
  await keys.press('Enter')

  // From the outline back to the buttons above it.
  for (const key of ['Escape', 'Home']) await keys.press(key)
  const activate = page.getByRole('button', { name: 'Activate', exact: true })
  for (let step = 0; step < tabsMax && !(await keys.hasFocus(activate)); step++) await keys.press('Shift+Tab')
  await keys.press('Enter')
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()

  const { body } = await posthorn.api('GET', `/v1/workflows/${id}`)
  assert.equal(body.status, 'active')
  const types = ['contact_event', 'send_email', 'delay', 'filter', 'send_email', 'add_segment']
  assert.deepEqual([...body.nodes.map(({ type }: { type: string }) => type)], types)
  assert.equal(body.nodes.at(-1).config.segment_id, segment.id)
  assert.ok(keys.count() <= pressesMax, `${keys.count()} presses`)
})

test('after a step is removed, the focus is on the step before it', async () => {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Shorter' })).body
  const nodes = [
    { id: 'start', type: 'manual' },
    { id: 'wait', type: 'delay', config: { duration: '3d' } },
  ]
  await posthorn.api('PATCH', `/v1/workflows/${id}`, {
    nodes,
    connections: [{ id: 'c1', source: 'start', target: 'wait' }],
  })
  const page = await posthorn.open(`/app/workflows/${id}?step=wait`)
  const step = (name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name })
  const remove = page.getByRole('button', { name: 'Remove step' })
  await remove.press('Enter')
  await step('Delay').waitFor({ state: 'detached' })
  await eventually(async () => assert.ok(await step('Manual').evaluate((button) => button === document.activeElement)))
  await step('Manual').press('Enter')
  await remove.press('Enter')
  await page.getByText('No steps yet').waitFor()
  const add = page.getByRole('button', { name: 'Add step' })
  await eventually(async () => assert.ok(await add.evaluate((button) => button === document.activeElement)))
})
