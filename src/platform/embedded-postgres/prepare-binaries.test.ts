import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { reaches } from './account.ts'
import { prepareBinaries } from './prepare-binaries.ts'

const root = await mkdtemp(join(tmpdir(), 'posthorn-binaries-'))
await chmod(root, 0o755)
after(() => rm(root, { recursive: true, force: true }))

const stranger = { uid: (process.getuid?.() ?? 0) + 1, gid: (process.getgid?.() ?? 0) + 1, other: true }

async function makePackage(name: string, mode: number): Promise<string> {
  const folder = join(root, name)
  await mkdir(join(folder, 'native', 'bin'), { recursive: true })
  await mkdir(join(folder, 'native', 'lib'))
  await writeFile(join(folder, 'package.json'), '{"version":"18.0.0"}')
  await writeFile(join(folder, 'native', 'bin', 'postgres'), 'a program', { mode: 0o700 })
  await writeFile(join(folder, 'native', 'lib', 'libpq.so.5.18'), 'a library', { mode: 0o600 })
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  await chmod(folder, mode)
  return folder
}

test('library links that the install script would have made are made', async () => {
  const folder = await makePackage('linked', 0o755)
  const home = { folder: join(root, 'home'), cluster: '', account: null, isClosed: false }
  assert.equal(await prepareBinaries(folder, home), join(folder, 'native', 'bin'))
  assert.equal(await readlink(join(folder, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
})

test("programs the database's user cannot read are copied beside the cluster once, readable and with their links", async () => {
  const folder = await makePackage('closed', 0o700)
  const home = { folder: join(root, 'home'), cluster: '', account: stranger, isClosed: false }
  const bin = await prepareBinaries(folder, home)
  assert.equal(bin, join(home.folder, 'binaries', '18.0.0', 'native', 'bin'))
  assert.equal(await reaches(stranger, join(bin, 'postgres')), true)
  assert.equal(await readFile(join(bin, '..', 'lib', 'libpq.so.5'), 'utf8'), 'a library')
  const { ino } = await stat(bin)
  assert.equal(await prepareBinaries(folder, home), bin)
  assert.equal((await stat(bin)).ino, ino)
})
