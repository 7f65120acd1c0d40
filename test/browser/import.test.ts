import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { patienceMs } from '../patience.ts'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
/** A hundred thousand rows take longer than what other tests wait for. */
const long = { timeout: 3 * patienceMs }

/** A file of good rows, with a bad row at its end. */
function fileOf(name: string, rows: number) {
  const lines = Array.from({ length: rows }, (_, index) => `row${index}@${name}.test,Row ${index}`)
  const csv = `email,First name\r\n${lines.join('\r\n')}\r\nnot an address,Bad\r\n`
  return { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) }
}

async function begin(page: Page, file: ReturnType<typeof fileOf>, rows: string): Promise<void> {
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByText(rows, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

const finished = (page: Page) => page.getByRole('heading', { name: 'Import finished' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Reads the number of *… created* and the like. */
async function countOf(page: Page, word: string): Promise<number> {
  const line = page.getByRole('listitem').filter({ hasText: new RegExp(`^[\\d,]+ ${word}$`) })
  return Number((await line.innerText()).split(' ')[0]!.replaceAll(',', ''))
}

const countContacts = async (): Promise<number> => (await posthorn.api('GET', '/v1/contacts/count')).body.total

test('an import is stopped and continued, and goes to the end by itself when the server is back', async () => {
  posthorn.mayLog(/Failed to load resource|ERR_/)
  const before = await countContacts()
  const page = await posthorn.open('/app/contacts/import')
  let requests = 0
  let isAway = false
  await page.route('**/v1/contacts/import', async (route) => {
    requests++
    // The second request is on its way while *Stop* is pressed.
    if (requests === 2) await button(page, 'Stop').click()
    return isAway ? route.abort() : route.continue()
  })
  await begin(page, fileOf('stopped', 8000), '8,001 rows')
  await page.getByRole('heading', { name: 'Import stopped' }).waitFor()
  await page.getByText('4,000 of 8,001 rows').waitFor()
  await page.getByText('4,000 created', { exact: true }).waitFor()
  assert.equal(requests, 2)
  await checkAccessibility(page)

  isAway = true
  await button(page, 'Continue').click()
  await page.getByText('the import goes on by itself').waitFor()
  await button(page, 'Stop').click()
  await page.getByRole('heading', { name: 'Import stopped' }).waitFor()
  await button(page, 'Continue').click()
  await page.getByText('the import goes on by itself').waitFor()
  isAway = false
  await finished(page).waitFor()
  await page.getByText('8,000 created', { exact: true }).waitFor()
  await page.getByText('1 refused', { exact: true }).waitFor()
  assert.equal((await countContacts()) - before, 8000)
})

test('a server that is killed in the middle of an import and started again gets each contact once', async () => {
  posthorn.mayLog(/Failed to load|ERR_|status of 50\d/)
  const before = await countContacts()
  const page = await posthorn.open('/app/contacts/import')
  let startAgain: (() => Promise<void>) | undefined
  let requests = 0
  await page.route('**/v1/contacts/import', async (route) => {
    requests++
    if (requests === 3) startAgain = await posthorn.killServer()
    return route.continue()
  })
  await begin(page, fileOf('killed', 8000), '8,001 rows')
  await page.getByText('the import goes on by itself').waitFor()
  await startAgain?.()
  await finished(page).waitFor(long)
  await page.getByText('8,000 created', { exact: true }).waitFor()
  assert.equal((await countContacts()) - before, 8000)
})

test('contacts whose answer is lost are created once, and counted as created', async () => {
  posthorn.mayLog(/Failed to load resource|ERR_/)
  const before = await countContacts()
  const page = await posthorn.open('/app/contacts/import')
  await page.route(
    '**/v1/contacts/import',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await begin(page, fileOf('lost', 3000), '3,001 rows')
  await finished(page).waitFor()
  assert.equal(await countOf(page, 'created'), 3000)
  assert.equal(await page.getByText('unchanged').count(), 0)
  assert.equal((await countContacts()) - before, 3000)
})

test('an import that another page interrupts is told of when the reader comes back', async () => {
  const before = await countContacts()
  const page = await posthorn.open('/app/contacts/import')
  let requests = 0
  await page.route('**/v1/contacts/import', async (route) => {
    requests++
    if (requests === 2) await page.getByRole('link', { name: 'Contacts' }).first().click()
    return route.continue()
  })
  await begin(page, fileOf('left', 8000), '8,001 rows')
  await page.getByText('The import stopped, because its page was left.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Import contacts' }).click()
  await page.getByText('The import of left.csv was interrupted after 2,000 of 8,001 rows.').waitFor()
  await checkAccessibility(page)
  await begin(page, fileOf('left', 8000), '8,001 rows')
  await finished(page).waitFor()
  assert.equal((await countOf(page, 'created')) + (await countOf(page, 'unchanged')), 8000)
  assert.equal((await countContacts()) - before, 8000)
})

// The one long test of this folder: a minute where others take seconds.
test('an import of 100,000 rows that a reload interrupts is repeated, and ends with each contact once', async () => {
  const file = fileOf('large', 100_000)
  const before = await countContacts()
  const page = await posthorn.open('/app/contacts/import')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await begin(page, file, '100,001 rows')
  await page.getByText(/^[2-9]\d,000 of 100,001 rows/).waitFor(long)
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'])
  await page.getByText(/The import of large.csv was interrupted after [2-9]\d,000 of 100,001 rows/).waitFor()

  await begin(page, file, '100,001 rows')
  await finished(page).waitFor(long)
  const [created, unchanged] = [await countOf(page, 'created'), await countOf(page, 'unchanged')]
  assert.ok(unchanged >= 20_000, `${unchanged} unchanged`)
  assert.equal(created + unchanged, 100_000)
  await page.getByText('1 refused', { exact: true }).waitFor()
  assert.equal((await countContacts()) - before, 100_000)
  await page.reload()
  await page.getByLabel('CSV file').waitFor()
  assert.equal(await page.getByText('was interrupted').count(), 0)
})
