import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { workflowsPage } from '../scripts/nodes.ts'

test('docs/workflows.md has every node with the config and the output that it declares', () => {
  const written = readFileSync(new URL('../docs/workflows.md', import.meta.url), 'utf8')
  assert.equal(written, workflowsPage(), 'Run: npm run generate')
})
