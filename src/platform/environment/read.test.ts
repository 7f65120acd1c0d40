import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../config.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-settings-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const secret = 'a secret from a file, of thirty-two bytes and more'

test('every setting may come from a file, without the line break at its end', () => {
  const config = readConfig({
    APP_SECRET_FILE: file('app', `${secret}\n`),
    DATABASE_URL_FILE: file('database', 'postgres://posthorn:x@db/posthorn\r\n'),
    PORT_FILE: file('port', '4000'),
  })
  assert.equal(config.appSecret, secret)
  assert.equal(config.databaseUrl, 'postgres://posthorn:x@db/posthorn')
  assert.equal(config.port, 4000)
})

test('a file that cannot be used is refused in one line that shows nothing of its content', () => {
  const refused: [environment: Record<string, string>, message: RegExp][] = [
    [{ APP_SECRET: secret, APP_SECRET_FILE: file('both', secret) }, /^APP_SECRET and APP_SECRET_FILE are both set/],
    [{ APP_SECRET_FILE: join(folder, 'nowhere') }, /^APP_SECRET_FILE must be a file .*\(ENOENT\)/],
    [{ APP_SECRET_FILE: folder }, /^APP_SECRET_FILE must be a file /],
    [{ APP_SECRET_FILE: file('empty', '\n') }, /it is empty/],
    [{ APP_SECRET_FILE: file('large', 'x'.repeat(65 * 1024)) }, /at most 64 KiB/],
    [{ PORT_FILE: file('wrong', 'a password by mistake') }, /^PORT must be a port .* "a secret, not shown"\.$/],
  ]
  for (const [environment, message] of refused) assert.throws(() => readConfig(environment), { message })
})
