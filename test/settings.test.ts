import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settingsPage } from '../scripts/settings.ts'
import { channels, settingsBySubject } from '../src/settings.ts'

test('docs/settings.md has every setting as it is declared', () => {
  const written = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
  assert.equal(written, settingsPage(), 'Run: npm run generate')
})

test('each variable belongs to one declaration', () => {
  const declared = [
    ...settingsBySubject.flatMap(([, settings]) => Object.values(settings)),
    ...channels.flatMap(({ providers }) => providers.flatMap(({ settings }) => Object.values(settings))),
  ]
  const variables = [...new Set(declared)].map(({ variable }) => variable)
  assert.deepEqual(
    variables.filter((variable, index) => variables.indexOf(variable) !== index),
    [],
  )
})

test('a setting is described in sentences', () => {
  const wrong = settingsPage()
    .split('\n')
    .filter((line) => /^\| `/.test(line) && !/\. \|$/.test(line))
  assert.deepEqual(wrong, [])
})
