import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], text: 'Hello' }

const create = async (path: string, body: unknown) => {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

/** Opens the palette and types a text. */
async function ask(page: Page, text: string) {
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await page.keyboard.type(text)
  return palette
}

test('the palette leads to a page, and to an email by its subject', async () => {
  await create('/v1/emails', { ...email, subject: 'Found by its subject' })
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await ask(page, 'suppr')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  const palette = await ask(page, 'by its subject')
  await palette.getByRole('option', { name: 'Found by its subject' }).waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Found by its subject' }).waitFor()
})

// A refused request would reach the console, which fails the test.
test('an id leads straight to what it belongs to, with one request and a silent console', async () => {
  const webhook = await create('/v1/webhooks', { endpointUrl: 'https://example.com/hook', events: ['email.sent'] })
  const workflow = await create('/v1/workflows', { name: 'Greet' })
  await posthorn.api('PATCH', `/v1/workflows/${workflow}`, {
    nodes: [{ id: 'start', type: 'manual' }],
    connections: [],
  })
  await posthorn.api('POST', `/v1/workflows/${workflow}/activate`)
  const execution = await create(`/v1/workflows/${workflow}/executions`, {})
  const wanted = [
    [await create('/v1/emails', { ...email, subject: 'Found by its id' }), 'Found by its id', 'Found by its id'],
    [await create('/v1/topics', { name: 'News' }), 'News', 'News'],
    [webhook, 'https://example.com/hook', 'example.com'],
    [execution, 'Greet', 'Execution'],
    [await create('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' }), 'Shop', 'Shop'],
  ]
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [id = '', name = '', heading] of wanted) {
    const asked: string[] = []
    const note = (request: { url(): string }) => void (request.url().includes(id) && asked.push(request.url()))
    page.on('request', note)
    const palette = await ask(page, id)
    await palette.getByRole('option', { name }).waitFor()
    // A hint may have asked once more.
    assert.deepEqual([...new Set(asked)], [`${posthorn.url}/v1/lookup?id=${id}`])
    page.off('request', note)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
})

test('an id of nothing matches nothing, and leaves the console silent', async () => {
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const answered = page.waitForResponse(/\/v1\/lookup/)
  const palette = await ask(page, '01890a5d-ac96-774b-bcce-b302099a8057')
  assert.equal((await answered).status(), 200)
  await palette.getByText('Nothing matches').waitFor()
})

test('the address of a recipient leads to the emails to it, in the palette and in the list', async () => {
  await create('/v1/emails', { ...email, to: ['Grace <grace@example.com>'], subject: 'To Grace' })
  await create('/v1/emails', { ...email, bcc: ['grace@example.com'], subject: 'A copy for Grace' })
  const page = await posthorn.open('/app/emails')
  await page.getByRole('link', { name: 'Found by its subject' }).waitFor()
  await page.getByLabel('Search emails').fill('Grace@Example.com')
  await page.getByText('2 emails', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'To Grace' }).waitFor()
  await page.getByRole('link', { name: 'A copy for Grace' }).waitFor()
  await checkAccessibility(page)
  const palette = await ask(page, 'grace@example.com')
  await palette.getByRole('option', { name: 'A copy for Grace' }).waitFor()
  await palette.getByRole('option', { name: 'To Grace' }).click()
  await page.getByRole('heading', { level: 1, name: 'To Grace' }).waitFor()
})

test('an SMS and a suppression are found by what the searches of their lists find', async () => {
  const sender = await create('/v1/sms/senders', { name: 'Shop', senderId: 'Parcels' })
  await create(`/v1/sms/senders/${sender}/verify`, {})
  await create('/v1/sms', { senderId: sender, to: '+61491570156', body: 'Your parcel waits at the counter' })
  await create('/v1/suppressions', { email: 'never@example.com' })
  await create('/v1/suppressions', { email: 'other@example.com' })
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const palette = await ask(page, 'parcel waits')
  await palette.getByRole('option', { name: '+61491570156: Your parcel waits' }).click()
  await page.getByRole('heading', { level: 1, name: '+61491570156' }).waitFor()
  await ask(page, 'never@')
  await palette.getByRole('option', { name: 'never@example.com Suppression' }).click()
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  assert.equal(await page.getByLabel('Search suppressions').inputValue(), 'never@example.com')
  const table = page.getByRole('table', { name: 'Suppressions' })
  await table.getByText('never@example.com').waitFor()
  await table.getByText('other@example.com').waitFor({ state: 'detached' })
})

test('Enter waits for the answer to what is typed, and does not lead to what was found before', async () => {
  await create('/v1/emails', { ...email, subject: 'Found at first' })
  await create('/v1/emails', { ...email, subject: 'Wanted in the end' })
  const page = await posthorn.open('/app')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const palette = await ask(page, 'Found at first')
  await palette.getByRole('option', { name: 'Found at first' }).waitFor()
  const isEntered = Promise.withResolvers<void>()
  await page.route(
    ({ searchParams }) => searchParams.get('find') === 'Wanted in the end',
    async (route) => {
      await isEntered.promise
      await route.continue()
    },
  )
  await palette.getByRole('combobox', { name: 'Go to or search' }).fill('Wanted in the end')
  await page.keyboard.press('Enter')
  assert.ok(await palette.isVisible())
  isEntered.resolve()
  await page.getByRole('heading', { level: 1, name: 'Wanted in the end' }).waitFor()
})
