import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startSubmission } from './fixtures/start.ts'

const skip = spawnSync('curl', ['--version']).error ? 'curl is not there' : false

test('curl sends a file, whatever its line ends, on either port', { skip }, async () => {
  const { posthorn, smtp, smtps } = await startSubmission()
  const team = await posthorn.team()
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-curl-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [index, url] of [`smtp://127.0.0.1:${smtp}`, `smtps://127.0.0.1:${smtps}`].entries()) {
    const lines = [`From: hello@${team.domain}`, 'To: ada@example.com', `Subject: ${index}`, '', '.hello', 'you', '']
    const path = join(folder, `${index}.eml`)
    writeFileSync(path, lines.join(index === 0 ? '\n' : '\r\n'))
    const envelope = ['--mail-from', 'me@client.test', '--mail-rcpt', 'ada@example.com', '--upload-file', path]
    await promisify(execFile)('curl', ['-sS', '--ssl-reqd', '-k', url, '--user', `${team.key}:`, ...envelope])
    const { data } = (await team.api.get('/v1/emails')).body
    const { body } = await team.api.get(`/v1/emails/${data[0].id}`)
    assert.deepEqual([body.subject, body.text.trimEnd()], [String(index), '.hello\nyou'])
  }
})
