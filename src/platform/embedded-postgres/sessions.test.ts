import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findBinaries } from './find-binaries.ts'
import type { Home } from './home.ts'
import { stopServer } from './stop.ts'

const root = await mkdtemp(join(tmpdir(), 'posthorn-sessions-'))
after(() => rm(root, { recursive: true, force: true }))
/** A major version that npm did not bring, so that the programs in `root` are taken. */
const major = 99

test('what runs while it stops is not in the terminal’s group, so that a second Ctrl-C does not end it', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux tells the group of a process')
  // Each program notes its own id and its process group.
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const note = `echo $$ $(cut -d ' ' -f 5 /proc/$$/stat) > '${join(root, name)}.noted'`
    await writeFile(join(root, name), `#!/bin/sh\n${note}\necho "${name} (PostgreSQL) ${major}.0"\n`, { mode: 0o755 })
  }
  const cluster = join(root, 'cluster')
  await mkdir(cluster)
  await writeFile(join(cluster, 'PG_VERSION'), `${major}\n`)
  const { getuid, getgid } = process
  const account = { uid: getuid!(), gid: getgid!(), other: false }
  const home: Home = { folder: root, cluster, account, isClosed: false }
  const binaries = await findBinaries(home, root)
  assert.equal(binaries.major, major)
  assert.equal(await stopServer(home, binaries), true)
  for (const name of ['postgres', 'pg_ctl']) {
    const [pid, group] = (await readFile(join(root, `${name}.noted`), 'utf8')).trim().split(' ')
    assert.equal(group, pid, name)
  }
})
