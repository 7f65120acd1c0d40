import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const page = 'docs/promises.md'
const rows = readRows(readText(page))
const readme = plain(readText('README.md'))

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url))
}

function readText(file: string): string {
  return readFileSync(pathOf(file), 'utf8')
}

/** Text as it is read: links by their words, no bold, one blank for each run of blanks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
}

type Row = { promise: string; name: string; file: string }

/** Reads the rows of all tables. A row without a promise is another test of the promise above. */
function readRows(text: string): Row[] {
  let above = ''
  return [...text.matchAll(/^\|.*\|$/gm)].flatMap(([line]) => {
    const [promise, name, file] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')) as [string, string, string]
    if (promise === 'promise' || /^-+$/.test(promise)) return []
    above = promise === '' ? above : plain(promise)
    return [{ promise: above, name, file: file.replaceAll('`', '') }]
  })
}

/** The names of the tests that a file declares, as they stand in its source. */
function namesIn(file: string): string[] {
  const declared = readText(file).matchAll(/\b(?:test|slowTest|propertyTest)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
  return [...declared].map(([, , name]) => name!.replaceAll(/\\(.)/g, '$1'))
}

/** The sentences of a section's list. */
function sentencesOf(heading: string): string[] {
  const text = readText('README.md')
  const from = text.indexOf(`## ${heading}\n`)
  const section = text.slice(from, text.indexOf('\n## ', from + 1))
  const items = [...section.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, item]) => plain(item!))
  return items.flatMap((item) => item.split(/(?<=\.\)?) (?=[A-Z`(])/))
}

test('every test that docs/promises.md names is in the file that it names', () => {
  const missing = rows.filter(({ name, file }) => name && !(existsSync(pathOf(file)) && namesIn(file).includes(name)))
  assert.deepEqual(missing, [], `Name the test as it is in its file now, in ${page}.`)
})

test('every promise of docs/promises.md is what the README says, and has a test', () => {
  assert.ok(rows.length > 150, `${rows.length} rows were read`)
  const unsaid = rows.filter(({ promise }) => promise === '' || !readme.includes(promise))
  assert.deepEqual(unsaid, [], `Write the sentence into ${page} as the README has it.`)
  const untested = rows.filter(({ name }) => name === '').map(({ promise }) => promise)
  assert.deepEqual(untested, [], 'A promise needs a test.')
})

for (const heading of ['Features', 'Guarantees']) {
  test(`every sentence under ${heading} of the README stands in docs/promises.md`, () => {
    const sentences = sentencesOf(heading)
    assert.ok(sentences.length >= 10, `${sentences.length} sentences were found`)
    const missing = sentences.filter((sentence) => !rows.some(({ promise }) => promise.includes(sentence)))
    assert.deepEqual(missing, [], `Add a row with its tests to ${page}.`)
  })
}
