import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { createTestDatabase, testServer } from '../test/database.ts'
import { startServer } from '../test/server-process.ts'
import { slowTest } from '../test/slow.ts'

const database = await createTestDatabase(await testServer())
after(() => database.drop())

slowTest(
  'in production it starts on a folder it cannot write to, with all it needs given, and warns of an allowed payment sandbox',
  async () => {
    const { host, port, user, password, database: name } = new pg.Client(database.config)
    const secret = password ? `:${encodeURIComponent(password)}` : ''
    const server = await startServer({
      DATABASE_URL: `postgres://${user}${secret}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
      APP_SECRET: randomBytes(32).toString('hex'),
      PAYMENTS_PROVIDER: 'sandbox',
      ALLOW_SANDBOX_PAYMENTS: 'on',
      // Nobody can create a folder there, not even root.
      DATA_DIR: '/proc/posthorn',
      NODE_ENV: 'production',
    })
    const output = server.output()
    assert.equal(await server.stop(), 0)
    assert.match(output, /PAYMENTS_PROVIDER is sandbox.*full_access key can take any plan/)
  },
)
