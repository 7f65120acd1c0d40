import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../cli/src/', import.meta.url)
const files = globSync('**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(new URL(path, root), 'utf8'),
}))

test('the command line over HTTP loads nothing of the server but the fields of contacts, and the readers of CSV files and exact numbers', () => {
  const imports = files.flatMap(({ path, text }) =>
    [...text.matchAll(/from '([^']+)'|import\('([^']+)'\)/g)].map(([, from, loaded]) => `${path}: ${from ?? loaded}`),
  )
  const allowed =
    /: (?:node:|\.\/|\.\.\/(?!\.\.)|(?:\.\.\/)+(?:sdk\/src\/|src\/contacts\/(?:csv\/|fields\.ts$)|src\/platform\/numbers\/))/
  assert.deepEqual(
    imports.filter((line) => !allowed.test(line)),
    [],
  )
})

test('its files fit their size, but for the table that is made', () => {
  const long = files.filter(({ path, text }) => path !== 'operations.ts' && text.split('\n').length > 250)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})
