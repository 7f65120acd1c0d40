import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'

const read = (url: string) => readConfig({ DATABASE_URL: url }).databaseUrl

test('a password whose characters take the URL apart is refused, and no piece of it is shown', () => {
  const urls = [
    'u:Sec/ret@host/d',
    'u:Sec@ret/w@host/d',
    'u:Sec@ret/w#rd@host/d',
    'u:123#ret@host/d',
    'u:123?ret@host/d',
    'u:Sec%ffret@host/d',
  ]
  for (const url of urls) {
    assert.throws(() => read(`postgres://${url}`), {
      message:
        'DATABASE_URL must be postgres://user:pass@host:port/database with / ? # % in user and password percent-encoded (%2F %3F %23 %25); it was "a secret, not shown".',
    })
  }
})

test('a URL is taken as it is: with an encoded password, a socket, parameters and without a password', () => {
  const urls = [
    'postgres://u:Sec%2Fret%23%40@host:5433/d',
    'postgresql://u:Sec@ret@host/d',
    'postgres://u@localhost/d?host=%2Frun%2Fpostgresql',
    'postgres:///d?host=/run/postgresql&user=u',
    'postgres://u:x@host/d?sslmode=no-verify',
    'postgres://u:x@host/d?sslmode=require&uselibpqcompat=true',
  ]
  for (const url of urls) assert.equal(read(url), url)
})

test('modes of TLS that the driver takes as verify-full are written so, which spares its warning', () => {
  for (const mode of ['require', 'verify-ca', 'prefer'])
    assert.equal(
      read(`postgres://u:x@host/d?sslmode=${mode}&sslrootcert=/ca.pem`),
      'postgres://u:x@host/d?sslmode=verify-full&sslrootcert=/ca.pem',
    )
})
