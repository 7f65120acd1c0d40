// needs: waiting
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, watch, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { until } from '../../../test/patience.ts'
import { nobody, passesThrough } from './account.ts'
import type { Connection } from './connection.ts'
import { query, quiet, serverPid, withServer } from './fixtures/servers.ts'
import { startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0
const ordinary = isRoot ? nobody(await readFile('/etc/passwd', 'utf8')) : null
const root = await mkdtemp(join(tmpdir(), 'posthorn-db-'))
await chmod(root, 0o711)
after(() => rm(root, { recursive: true, force: true }))

const main = join(root, 'main')

test('data that a killed process wrote is in the server it leaves behind, which the next process adopts', async () => {
  const child = await startInChild(main)
  await query(child.connection, 'create table notes (text text)')
  await query(child.connection, `insert into notes values ('kept')`)
  child.process.kill('SIGKILL')
  await once(child.process, 'exit')
  await withServer(main, async (server) => {
    assert.equal(server.adopted, true)
    assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
  })
})

test('a commit is answered once it is on disk', async () => {
  await withServer(main, async (server) => {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
      assert.deepEqual(await query(server.connection(), `select current_setting('${setting}') as is`), [{ is: 'on' }])
  })
})

test('stop ends the server, and the next start finds the data', async () => {
  assert.equal(await serverPid(main), null)
  await withServer(main, async (server) => {
    assert.equal(server.adopted, false)
    assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
    assert.deepEqual(await query(server.connection(), `select lower('ÄÉ') l, 'Z' < 'a' c`), [{ l: 'äé', c: true }])
  })
})

test('the last of several processes that use one server stops it', async () => {
  const first = await startEmbeddedPostgres({ dataDir: main, log: quiet })
  const second = await startEmbeddedPostgres({ dataDir: main, log: quiet })
  await first.stop()
  assert.equal((await query(second.connection(), 'select 1')).length, 1)
  await second.stop()
  assert.equal(await serverPid(main), null)
})

test('a killed server is started again with its data, automatically and by processes that need it', async () => {
  await withServer(main, async (server) => {
    for (let round = 0; round < 2; round++) {
      const pid = await serverPid(main)
      process.kill(pid!, 'SIGKILL')
      await Promise.all([server.ensureRunning(), server.ensureRunning()])
      assert.notEqual(await serverPid(main), pid)
      assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
    }
    await server.ensureRunning()
  })
})

test('a server whose process id means nothing here, as in another container, is adopted', async () => {
  await withServer(main, async () => {
    const file = join(main, 'postgres', 'cluster', 'postmaster.pid')
    const text = await readFile(file, 'utf8')
    const { pid } = spawnSync(process.execPath, ['--version'])
    await writeFile(file, text.replace(/^\d+/, String(pid)))
    const second = await startEmbeddedPostgres({ dataDir: main, log: quiet })
    await writeFile(file, text)
    assert.equal(second.adopted, true)
    await second.stop()
  })
})

test('a server that cannot start for a while is tried again until it starts', async () => {
  const failures: string[] = []
  const log = { ...quiet, warn: (_: object, text: string) => failures.push(text) }
  const server = await startEmbeddedPostgres({ dataDir: main, log })
  const control = join(main, 'postgres', 'cluster', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  process.kill((await serverPid(main))!, 'SIGKILL')
  const back = server.ensureRunning()
  await until(() => failures.filter((text) => text.includes('did not start')).length > 10)
  await rename(`${control}.away`, control)
  await back
  assert.deepEqual(await query(server.connection(), 'select text from notes'), [{ text: 'kept' }])
  await server.stop()
})

test('the pid file of a dead server does not stop the next start, although another program has its pid now', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux tells whose pid it is')
  const stranger = spawn('sleep', ['60'], ordinary ? { uid: ordinary.uid, gid: ordinary.gid } : {})
  const [cluster, socket] = [join(main, 'postgres', 'cluster'), join(main, 'postgres', 'socket')]
  await writeFile(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1\n5432\n${socket}\n\n0 0\nready\n`)
  try {
    await withServer(main, async (server) => assert.equal(server.adopted, false))
  } finally {
    stranger.kill()
  }
})

test('a server of another installation, which has the pid of a dead one, stops no start and is not stopped', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux tells whose pid it is')
  const [dataDir, neighbour] = [join(root, 'first'), join(root, 'neighbour')]
  await withServer(neighbour, async (other) => {
    const stranger = await serverPid(neighbour)
    await withServer(dataDir, async (server) => {
      const cluster = join(dataDir, 'postgres', 'cluster')
      const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
      process.kill((await serverPid(dataDir))!, 'SIGKILL')
      await writeFile(join(cluster, 'postmaster.pid'), file.replace(/^\d+/, String(stranger)))
      await server.ensureRunning()
      assert.notEqual(await serverPid(dataDir), stranger)
      assert.deepEqual(await query(server.connection(), 'select 1 as one'), [{ one: 1 }])

      process.kill((await serverPid(dataDir))!, 'SIGKILL')
      await writeFile(join(cluster, 'postmaster.pid'), file.replace(/^\d+/, String(stranger)))
    })
    assert.equal(await serverPid(neighbour), stranger)
    assert.deepEqual(await query(other.connection(), 'select 1 as one'), [{ one: 1 }])
  })
})

test('two processes that start at once on an empty folder share one server', async (t) => {
  if (isRoot && !(await passesThrough(ordinary, import.meta.dirname))) return t.skip('the checkout is closed to others')
  const dataDir = join(root, 'shared')
  await mkdir(dataDir)
  await chmod(dataDir, 0o777)
  const children = await Promise.all([startInChild(dataDir, ordinary), startInChild(dataDir, ordinary)])
  assert.deepEqual(children.map((child) => child.adopted).sort(), [false, true])
  assert.deepEqual(children[0]?.connection, children[1]?.connection)
  await Promise.all(children.map((child) => child.end()))
  assert.equal(await serverPid(dataDir), null)
})

test('an interrupted first start is repeated, and a long path gets a short, closed socket folder until it stops', async () => {
  const dataDir = join(root, 'a-long-name'.repeat(10), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await cutShort(dataDir)
  let host = ''
  await withServer(dataDir, async (server) => {
    assert.equal(server.adopted, false)
    host = server.connection().host
    assert.equal((await stat(host)).mode & 0o777, 0o700)
    assert.ok(!host.startsWith(dataDir))
    assert.equal((await query(server.connection(), 'select 1')).length, 1)
  })
  await assert.rejects(stat(host), { code: 'ENOENT' })
})

type Child = { process: ChildProcess; connection: Connection; adopted: boolean; end(): Promise<void> }

function spawnChild(dataDir: string, user: { uid: number; gid: number } | null) {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)}
    const log = { info() {}, warn(detail, message) { console.error(message, detail) } }
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log })
    console.log(JSON.stringify({ connection: server.connection(), adopted: server.adopted }))
    process.stdin.on('end', () => server.stop()).resume()`
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...(user && { uid: user.uid, gid: user.gid }),
  })
}

async function startInChild(dataDir: string, user: { uid: number; gid: number } | null = null): Promise<Child> {
  const child = spawnChild(dataDir, user)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const end = async () => {
    child.stdin.end()
    await once(child, 'exit')
  }
  return { process: child, end, ...(JSON.parse(line) as Pick<Child, 'connection' | 'adopted'>) }
}

/** Kills a first start while its initdb runs. */
async function cutShort(dataDir: string): Promise<void> {
  const events = watch(join(dataDir, 'postgres'))
  const child = spawnChild(dataDir, null)
  for await (const { filename } of events) if (filename?.startsWith('cluster.unfinished')) break
  child.kill('SIGKILL')
  await once(child, 'exit')
}
