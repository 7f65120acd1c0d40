import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('../migrations/', import.meta.url)
/** Earlier ones were released, and never change. */
const first = '0067'
/** Builds indexes in databases of two locales only, which a file that runs outside a transaction cannot ask for. */
const ofOneLocale = '0074_plain_i.sql'

test('a migration builds the indexes of a table that exists outside a transaction, so that nothing waits for them', () => {
  const names = readdirSync(folder).filter((name) => name >= first && name !== ofOneLocale)
  const strays = names.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8').replace(/--.*$/gm, '')
    const made = [...text.matchAll(/create table (\w+)/gi)].map(([, table]) => table)
    const indexed = [...text.matchAll(/create (?:unique )?index (?!concurrently)\w+ on (\w+)/gi)]
    return indexed.filter(([, table]) => !made.includes(table)).map(([statement]) => `${name}: ${statement}`)
  })
  assert.deepEqual(strays, [], 'Put them into a file of their own, as CONTRIBUTING.md says.')
})
