import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const chain = {
  nodes: [
    { id: 'start', type: 'manual' },
    { id: 'if', type: 'condition', config: { left: '{{trigger.n}}', operator: 'greater_than', right: 2 } },
    { id: 'big', type: 'transform_data', name: 'Big', config: { mode: 'template', expression: 'big {{trigger.n}}' } },
    { id: 'small', type: 'transform_data', name: 'Small', config: { mode: 'template', expression: 'small' } },
  ],
  connections: [
    { id: 'c1', source: 'start', target: 'if' },
    { id: 'c2', source: 'if', target: 'big', branch: 'true' },
    { id: 'c3', source: 'if', target: 'small', branch: 'false' },
  ],
}

async function draw(name: string, graph: object = chain): Promise<string> {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name })).body
  const { status, body } = await posthorn.api('PATCH', `/v1/workflows/${id}`, graph)
  assert.equal(status, 200, JSON.stringify(body))
  return id
}

const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
/**
 * Chooses a step, and waits until its settings are shown: the choice is in the address, which follows a little later.
 */
async function choose(page: Page, name: RegExp): Promise<void> {
  const button = steps(page).getByRole('button', { name })
  await button.click()
  await button.and(page.locator('[aria-pressed="true"]')).waitFor()
}
const settings = (page: Page) => page.getByRole('region', { name: 'Step settings' })

async function addStep(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add step' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add step' })
  await dialog.getByRole('button', { name: new RegExp(`^${title}`) }).click()
  await steps(page).getByRole('button', { name: title }).last().waitFor()
}

test('a workflow is created, drawn, saved with its faults, mended, activated and run', async () => {
  const page = await posthorn.open('/app/workflows')
  await page.getByText('No workflows yet').waitFor()
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('dialog', { name: 'Create workflow' }).getByLabel('Name').fill('<b>Welcome</b>')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: '<b>Welcome</b>' }).waitFor()
  await addStep(page, 'Contact event')
  await addStep(page, 'Send an email')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'faults' }).waitFor()
  await choose(page, /^Send an email.*3 faults/)
  const mail = settings(page)
  await mail.getByLabel('From').fill('Shop <hello@sandbox.test>')
  await mail.getByLabel('Subject').fill('Welcome')
  await mail.getByLabel('To', { exact: true }).pressSequentially('{{first')
  await page.getByRole('option', { name: /trigger\.contact\.firstName/ }).waitFor()
  await mail.getByLabel('To', { exact: true }).fill('')
  await mail.getByLabel('To', { exact: true }).pressSequentially('{{contact.em')
  await page
    .getByRole('option', { name: /trigger\.contact\.email/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await mail.getByLabel('To', { exact: true }).inputValue(), '{{trigger.contact.email}}')
  await mail.getByRole('textbox', { name: 'Text' }).fill('Good to have you here.')
  await choose(page, /^Contact event/)
  await settings(page).getByLabel('Created').check()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  const { body } = await posthorn.api('GET', '/v1/workflows')
  assert.equal(body.data[0].status, 'active')
  assert.deepEqual(body.data[0].nodes[1].config.to, '{{trigger.contact.email}}')
})

test('a step without a name keeps a workflow from being saved, is told at the field, and nothing else is lost', async () => {
  posthorn.mayLog(/status of 400/)
  const id = await draw('Unnamed')
  const page = await posthorn.open(`/app/workflows/${id}`)
  await choose(page, /^Big/)
  const name = settings(page).getByLabel('Name', { exact: true })
  const stored = async () => (await posthorn.api('GET', `/v1/workflows/${id}`)).body.nodes
  await name.fill('')
  await choose(page, /^Small/)
  await name.fill('Little')
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert').filter({ hasText: '1 fault to mend before the workflow can be saved' })
  await notice.getByText(/: Name must not be/).waitFor()
  assert.deepEqual((await stored()).map((node: { name: string }) => node.name).slice(2), ['Big', 'Small'])
  await notice.getByRole('button').click()
  await settings(page).getByRole('alert').getByText('must not be').waitFor()
  assert.equal(await name.getAttribute('aria-invalid'), 'true')
  await checkAccessibility(page)
  await name.fill('  ')
  await page.getByRole('button', { name: 'Activate' }).click()
  await settings(page).getByRole('alert').getByText('must not be blank').waitFor()
  await name.fill('Large')
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () =>
    assert.deepEqual((await stored()).map((node: { name: string }) => node.name).slice(2), ['Large', 'Little']),
  )
})

test('an outline is edited by keyboard alone, and undone and redone', async () => {
  const id = await draw('By keyboard')
  const page = await posthorn.open(`/app/workflows/${id}`)
  const names = () => steps(page).getByRole('button').allInnerTexts()
  await steps(page)
    .getByRole('button', { name: /^Manual/ })
    .focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await settings(page).getByLabel('Operator').waitFor()
  await page.getByRole('button', { name: 'Add step' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delay/ })
    .focus()
  await page.keyboard.press('Enter')
  await eventually(async () => assert.match((await names()).join(' | '), /Condition.*Delay.*Big.*Small/s))
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await eventually(async () => assert.equal((await names()).length, 4))
  await page.getByRole('button', { name: 'Redo' }).press('Enter')
  await eventually(async () => assert.equal((await names()).length, 5))
  await steps(page)
    .getByRole('button', { name: /^Delay/ })
    .press('Enter')
  await settings(page).getByRole('button', { name: 'Remove step' }).press('Enter')
  await eventually(async () => assert.equal((await names()).length, 4))
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('status').getByText('Saved').waitFor()
  const { body } = await posthorn.api('GET', `/v1/workflows/${id}`)
  assert.equal(body.connections.length, 3)
})

test('Save and Activate pressed at once are carried out one after the other, and both are busy until then', async () => {
  const id = await draw('At once')
  const page = await posthorn.open(`/app/workflows/${id}`)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route(`**/v1/workflows/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await answered
    await route.continue()
  })
  await choose(page, /^Big/)
  await settings(page).getByLabel('Name', { exact: true }).fill('Saved and active')
  const [save, activate] = ['Save', 'Activate'].map((name) => page.getByRole('button', { name, exact: true }))
  const saving = page.waitForRequest((request) => request.method() === 'PATCH')
  await save!.click()
  await activate!.click()
  for (const button of [save!, activate!]) assert.equal(await button.getAttribute('aria-busy'), 'true')
  await saving
  answer()
  for (const said of ['Saved', 'The workflow is active']) await page.getByRole('status').getByText(said).waitFor()
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  const { body } = await posthorn.api('GET', `/v1/workflows/${id}`)
  assert.equal(body.status, 'active')
  assert.equal(body.nodes[2].name, 'Saved and active')
})

test('whoever saves second is told of the first, and loses nothing', async () => {
  const id = await draw('Together')
  const page = await posthorn.open(`/app/workflows/${id}`)
  await choose(page, /^Big/)
  await settings(page).getByLabel('Name', { exact: true }).fill('Mine')
  const theirs = chain.nodes.map((node) => (node.id === 'small' ? { ...node, name: 'Theirs' } : node))
  await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes: theirs })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this workflow' })
  await alert.waitFor()
  const saved = await posthorn.api('GET', `/v1/workflows/${id}`)
  assert.deepEqual(saved.body.nodes.map(({ name }: { name: string }) => name).slice(2), ['Big', 'Theirs'])
  await alert.getByRole('button', { name: 'Load theirs' }).click()
  await steps(page)
    .getByRole('button', { name: /^Theirs/ })
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await steps(page).getByRole('button', { name: /^Mine/ }).waitFor()
})

test('the canvas shows the same graph, moves and removes steps by keyboard, and tidies up', async () => {
  const id = await draw('Drawn')
  const page = await posthorn.open(`/app/workflows/${id}`)
  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByRole('group', { name: 'Big', exact: true }).click()
  await settings(page).getByRole('heading', { name: 'Transform data' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Not saved').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Not saved').waitFor({ state: 'detached' })
  await canvas.getByRole('button', { name: 'Tidy up' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const { nodes } = (await posthorn.api('GET', `/v1/workflows/${id}`)).body
  assert.equal(new Set(nodes.map(({ position }: { position: object }) => JSON.stringify(position))).size, 4)
  await canvas.getByRole('group', { name: 'Small', exact: true }).focus()
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Delete')])
  await eventually(async () => assert.equal(await steps(page).getByRole('button').count(), 3))
  await canvas.getByRole('group', { name: 'Big', exact: true }).waitFor()
  await page.setViewportSize({ width: 700, height: 900 })
  await canvas.waitFor({ state: 'detached' })
})

/** A trigger and steps in a row, all at the same place. */
function chainOf(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  const config = { mode: 'template', expression: 'x' }
  const nodes = ids.map((id, index) =>
    index === 0 ? { id, type: 'manual' } : { id, type: 'transform_data', name: id, config },
  )
  const connections = ids.slice(1).map((target, index) => ({ id: `c${index}`, source: ids[index]!, target }))
  return { nodes, connections }
}

test('a large graph without places begins at its trigger, where it can be read', async () => {
  const page = await posthorn.open(`/app/workflows/${await draw('Large', chainOf(60))}`)
  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByRole('group', { name: 'Manual' }).waitFor()
  await canvas.getByRole('group', { name: 'n3', exact: true }).waitFor()
})

test('each of 200 steps is reached by keyboard in the outline, and removed on the canvas', async () => {
  const page = await posthorn.open(`/app/workflows/${await draw('Largest', chainOf(200))}`)
  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByRole('group', { name: 'Manual' }).waitFor()
  assert.equal(await steps(page).getByRole('button').count(), 200)
  const name = settings(page).getByLabel('Name', { exact: true })
  await canvas.getByRole('group', { name: 'n3', exact: true }).focus()
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await name.inputValue(), 'n3'))
  await page.keyboard.press('Delete')
  await eventually(async () => assert.equal(await steps(page).getByRole('button').count(), 199))
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await eventually(async () => assert.equal(await steps(page).getByRole('button').count(), 200))
  await steps(page)
    .getByRole('button', { name: /^Manual/ })
    .focus()
  await page.keyboard.press('End')
  const last = steps(page).getByRole('button', { name: /^n199/ })
  await eventually(async () => assert.ok(await last.evaluate((button) => button === document.activeElement)))
  const box = await last.boundingBox()
  assert.ok(box && box.y >= 0 && box.y + box.height <= 900, 'The step in focus is in sight.')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await name.inputValue(), 'n198'))
})

test('a marketer is not offered what the API refuses on a workflow that runs code', async () => {
  const code = { id: 'code', type: 'code', config: { source: 'return 1' } }
  const id = await draw('Runs code', { nodes: [chain.nodes[0], code], connections: [] })
  const plain = await draw('Runs no code')
  const page = await posthorn.open('/app')
  await page.route('**/auth/me', async (route) => {
    const answer = await route.fetch()
    const me = await answer.json()
    await route.fulfill({ response: answer, json: { ...me, role: 'marketer' } })
  })
  await page.goto(`${posthorn.url}/app/workflows/${id}`)
  await page.getByText('since it runs code or makes HTTP requests').waitFor()
  assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0)
  await page.goto(`${posthorn.url}/app/workflows/${plain}`)
  await page.getByRole('button', { name: 'More actions' }).waitFor()
})

test('a run is shown with the states, input, output and error of its steps, and run again', async () => {
  const nodes = [
    ...chain.nodes.slice(0, 3),
    { id: 'small', type: 'code', name: 'Small', config: { source: 'throw new Error("The shop is closed")' } },
  ]
  const id = await draw('Runs', { ...chain, nodes })
  const page = await posthorn.open(`/app/workflows/${id}`)
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  const run = async (data: string) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Run' })
    await dialog.getByRole('textbox', { name: 'Trigger data' }).fill(data)
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  }
  await run('[]')
  await page.getByRole('alert').filter({ hasText: 'Write a JSON object' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await run('{"n": 5}')
  await page.getByRole('heading', { level: 1, name: 'Execution' }).waitFor()
  await choose(page, /^Big.*Completed/)
  const details = page.getByRole('region', { name: 'Step details' })
  await details.getByRole('region', { name: 'Output' }).getByText('"big 5"').waitFor()
  await steps(page)
    .getByRole('button', { name: /^Small.*Skipped/ })
    .waitFor()
  const failed = (await posthorn.api('POST', `/v1/workflows/${id}/executions`, { triggerData: { n: 1 } })).body
  await page.goto(`${posthorn.url}/app/workflows/${id}/executions`)
  await page
    .getByRole('row', { name: /Failed/ })
    .getByRole('link')
    .click()
  await details.getByText('The shop is closed').first().waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Rerun from failed step' }).click()
  await eventually(() => assert.ok(!page.url().includes(failed.id)))
  await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor()
})

test('an execution that waits is cancelled after a question', async () => {
  const graph = {
    nodes: [
      { id: 'start', type: 'manual' },
      { id: 'wait', type: 'delay', config: { duration: '3d' } },
    ],
    connections: [{ id: 'c1', source: 'start', target: 'wait' }],
  }
  const id = await draw('Waits', graph)
  await posthorn.api('POST', `/v1/workflows/${id}/activate`)
  const { body } = await posthorn.api('POST', `/v1/workflows/${id}/executions`)
  const page = await posthorn.open(`/app/workflows/${id}/executions/${body.id}`)
  await page.getByRole('button', { name: 'Cancel execution' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel execution?' })
  await question.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Rerun' }).waitFor()
  await page.getByText('Cancelled').first().waitFor()
})

test('a credential is created with its fault at the field, chosen in a step by name, and deleted', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/workflows/credentials')
  await page.getByRole('button', { name: 'Create credential' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create credential' })
  await dialog.getByLabel('Name').fill('Warehouse')
  await dialog.getByLabel('Token').fill('wh_4fK9aZ0')
  await dialog.getByLabel('Allowed hosts').fill('api.example.com\nnot a host/')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Allowed hosts').fill('api.example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('cell', { name: 'Warehouse', exact: true }).waitFor()
  await checkAccessibility(page)
  const id = await draw('Calls', {
    nodes: [
      { id: 'start', type: 'webhook_received' },
      { id: 'call', type: 'http_request', config: { url: 'https://api.example.com', method: 'GET' } },
    ],
    connections: [{ id: 'c1', source: 'start', target: 'call' }],
  })
  await page.goto(`${posthorn.url}/app/workflows/${id}?step=call`)
  await settings(page).getByLabel('Credential').click()
  await page.getByRole('option', { name: 'Warehouse' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const credential = (await posthorn.api('GET', '/v1/credentials')).body.data[0]
  const saved = (await posthorn.api('GET', `/v1/workflows/${id}`)).body
  assert.equal(saved.nodes[1].config.credential_id, credential.id)
  await choose(page, /^Webhook received/)
  await settings(page).getByRole('button', { name: 'Rotate trigger key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  const fresh = page.getByRole('dialog', { name: 'Save the trigger URL' })
  assert.notEqual(await fresh.getByLabel('New trigger URL', { exact: true }).inputValue(), saved.triggerUrl)
  await fresh.getByRole('button', { name: 'Done' }).click()
  await page.goto(`${posthorn.url}/app/workflows/credentials`)
  await page.getByRole('button', { name: 'Delete Warehouse' }).click()
  await page.getByRole('dialog', { name: 'Delete Warehouse?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No credentials yet').waitFor()
})

test('a picker that is opened and left keeps what is chosen, and one that is emptied holds none', async () => {
  const { id: segmentId } = (await posthorn.api('POST', '/v1/segments', { name: 'Readers' })).body
  const config = { events: ['added_to_segment'], segment_id: segmentId }
  const id = await draw('Picks', { nodes: [{ id: 'start', type: 'contact_event', config }], connections: [] })
  const page = await posthorn.open(`/app/workflows/${id}?step=start`)
  const segment = settings(page).getByRole('combobox', { name: 'Segment' })
  const holds = (value: string) => eventually(async () => assert.equal(await segment.inputValue(), value))
  const leave = () => settings(page).getByLabel('Name', { exact: true }).click()
  await holds('Readers')
  for (const open of [() => segment.click(), () => segment.press('ArrowDown')]) {
    await open()
    await page.getByRole('option', { name: 'Readers' }).waitFor()
    assert.deepEqual([await segment.inputValue(), await segment.getAttribute('placeholder')], ['', 'Readers'])
    await leave()
    await holds('Readers')
  }
  assert.equal(await page.getByText('Not saved').count(), 0)
  await segment.click()
  await segment.press('Backspace')
  await leave()
  await page.getByText('Not saved').waitFor()
  await holds('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await holds('Readers')
  await segment.fill('')
  await leave()
  await holds('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const { nodes } = (await posthorn.api('GET', `/v1/workflows/${id}`)).body
  assert.deepEqual(nodes[0].config, { events: ['added_to_segment'] })
})

test('the pages of workflows are accessible', async () => {
  const id = await draw('Accessible')
  const list = await posthorn.open('/app/workflows')
  await list.getByRole('cell', { name: 'Accessible' }).waitFor()
  await checkAccessibility(list)
  const page = await posthorn.open(`/app/workflows/${id}`)
  for (const name of [/^Condition/, /^Big/]) {
    await choose(page, name)
    await checkAccessibility(page)
  }
})
