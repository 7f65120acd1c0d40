// needs: waiting
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Connection } from './connection.ts'
import { query, quiet, serverPid, withServer } from './fixtures/servers.ts'
import { startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0
const root = await mkdtemp(join(tmpdir(), 'posthorn-db-'))
await chmod(root, 0o711)
after(() => rm(root, { recursive: true, force: true }))

const main = join(root, 'main')

test('no user can connect without the password, also after the server was killed', async () => {
  await withServer(main, async (server) => {
    const { password, ...open } = server.connection()
    assert.match(password ?? '', /^[0-9a-f]{48}$/)
    const file = await stat(join(main, 'postgres', 'password'))
    assert.deepEqual([file.mode & 0o777, file.uid], [0o600, process.getuid?.() ?? 0])
    for (const user of ['postgres', 'posthorn']) {
      for (const given of [undefined, '', 'a guess']) {
        const trial = { ...open, user, database: 'postgres', ...(given !== undefined && { password: given }) }
        await assert.rejects(query(trial, 'select 1'), /password|SASL/)
      }
    }
    const all = await query(
      { ...open, user: 'postgres', password } as Connection,
      'select rolpassword from pg_authid where rolpassword is not null',
    )
    assert.ok(all.every((row) => (row as { rolpassword: string }).rolpassword.startsWith('SCRAM-SHA-256$')))
  })
})

test('a cluster of version 0.1, which trusts everybody, gets a password at its next start and keeps its data', async () => {
  const dataDir = join(root, 'trusting')
  await withServer(dataDir, async (server) => {
    await query(server.connection(), 'create table notes (text text)')
    await query(server.connection(), `insert into notes values ('kept')`)
  })
  await rm(join(dataDir, 'postgres', 'password'))
  await withServer(dataDir, async (server) => {
    assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
    const { password, ...open } = server.connection()
    assert.ok(password)
    await assert.rejects(query(open, 'select 1'), /password/)
  })
})

test('a running server that trusts everybody is stopped and started again with a password', async () => {
  const dataDir = join(root, 'left-open')
  const first = await startEmbeddedPostgres({ dataDir, log: quiet })
  const pid = await serverPid(dataDir)
  const folder = join(dataDir, 'postgres')
  await writeFile(join(folder, 'pg_hba.conf'), 'local all all trust\n')
  await rm(join(folder, 'password'))
  const { password, ...open } = first.connection()
  await query({ ...open, user: 'postgres', database: 'postgres', password } as Connection, 'select pg_reload_conf()')
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), /in use by an older version/)
  // A killed process leaves the server running and is no longer attached to it.
  const left = await query(
    { ...open, user: 'postgres', database: 'postgres' },
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'posthorn attachment'`,
  )
  assert.equal(left.length, 1)
  await withServer(dataDir, async (server) => {
    assert.notEqual(await serverPid(dataDir), pid)
    await assert.rejects(query(open, 'select 1'), /password/)
    assert.deepEqual(await query(server.connection(), 'select 1 as one'), [{ one: 1 }])
  })
  await first.stop()
})

test('a start with a wrong password stops the server that it began, and says what to do', async () => {
  const dataDir = join(root, 'lost')
  const file = join(dataDir, 'postgres', 'password')
  await withServer(dataDir, async () => {})
  await writeFile(file, 'a guess')
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), {
    message: `${file} must hold the password of the database beside it. Restore the file, or delete it: the next start makes a new one.`,
  })
  assert.equal(await serverPid(dataDir), null)
  await rm(file)
  await withServer(dataDir, async (server) => {
    const pid = await serverPid(dataDir)
    for (const prepare of [() => rm(file), () => writeFile(file, ''), () => writeFile(file, 'a guess')]) {
      await prepare()
      await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), {
        message: `${file} must hold the password of the database beside it. Restore the file, or stop the database (kill -INT ${pid}) and delete the file: the next start makes a new one.`,
      })
    }
    assert.deepEqual(await query(server.connection(), 'select 1 as one'), [{ one: 1 }])
  })
})

test('as root, the database of a folder that is closed to others stays in that folder', async (t) => {
  if (!isRoot || process.platform !== 'linux') return t.skip('only root runs the database as somebody else')
  const closed = join(root, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const dataDir = join(closed, 'data')
  await withServer(dataDir, async (server) => {
    await query(server.connection(), 'create extension pg_trgm')
    await query(server.connection(), `create table notes as select 'kept' as text`)
    const second = await startEmbeddedPostgres({ dataDir, log: quiet })
    assert.equal(second.adopted, true)
    await second.stop()
  })
  assert.equal(await serverPid(dataDir), null)
  assert.equal((await stat(closed)).mode & 0o777, 0o700)
  assert.ok(await stat(join(dataDir, 'postgres', 'cluster', 'PG_VERSION')))
  await withServer(dataDir, async (server) =>
    assert.deepEqual(await query(server.connection(), `select text from notes where text % 'kept'`), [
      { text: 'kept' },
    ]),
  )
})

test('a database that an older version put elsewhere is moved into DATA_DIR', async () => {
  const [dataDir, former] = [join(root, 'brought'), join(root, 'former')]
  await withServer(dataDir, async (server) => {
    await query(server.connection(), `create table notes as select 'kept' as text`)
  })
  const inside = join(dataDir, 'postgres')
  await mkdir(former, { mode: 0o711 })
  await rename(join(inside, 'cluster'), join(former, 'cluster'))
  await rm(join(inside, 'password'))
  await writeFile(join(inside, 'location'), `${former}\n`)
  const warnings: string[] = []
  const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message) }
  const server = await startEmbeddedPostgres({ dataDir, log })
  try {
    assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
  } finally {
    await server.stop()
  }
  assert.deepEqual(warnings, [`The database was moved from ${former} into DATA_DIR.`])
  await assert.rejects(stat(join(former, 'cluster')), { code: 'ENOENT' })
  await assert.rejects(stat(join(inside, 'location')), { code: 'ENOENT' })
})
