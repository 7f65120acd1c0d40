import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderSettings } from './settings.ts'

test('backslashes and quotes of a path reach PostgreSQL as they are', () => {
  const text = renderSettings({ port: 5432 }, 18, { hba_file: "C:\\Users\\O'Brien\\pg_hba.conf" })
  assert.match(text, /^hba_file = 'C:\\\\Users\\\\O''Brien\\\\pg_hba\.conf'$/m)
})
