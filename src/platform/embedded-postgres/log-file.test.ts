import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Home } from './home.ts'
import { logFile, readLogTail } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-log-'))
after(() => rmSync(folder, { recursive: true }))
const home = { folder } as Home

test('of a start on a full disk the cause is told first', async () => {
  const lines = ['LOG:  starting', 'FATAL:  could not write to file: No space left on device', 'LOG:  shut down']
  writeFileSync(logFile(home), lines.join('\n'))
  assert.equal(await readLogTail(home, 0), [`The disk of ${folder} is full.`, ...lines].join('\n'))
  writeFileSync(logFile(home), lines[0]!)
  assert.equal(await readLogTail(home, 0), lines[0])
})
