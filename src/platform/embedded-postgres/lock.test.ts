import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { withLock } from './lock.ts'

const folder = await mkdtemp(join(tmpdir(), 'posthorn-lock-'))
after(() => rm(folder, { recursive: true, force: true }))

test('one process at a time has the lock, and no file is left afterwards', async () => {
  let inside = 0
  let most = 0
  const work = async () => {
    inside++
    most = Math.max(most, inside)
    await new Promise(setImmediate)
    inside--
  }
  await Promise.all(Array.from({ length: 5 }, () => withLock(folder, 5000, work)))
  assert.equal(most, 1)
  assert.deepEqual(await readdir(folder), [])
})

test('the lock of a dead process, of an earlier one with our pid, and one left untouched are taken over', async () => {
  const lock = join(folder, 'lock')
  const { pid } = spawnSync(process.execPath, ['--version'])
  for (const holder of [`${pid} 1`, `${process.pid} 1`]) {
    await writeFile(lock, holder)
    assert.equal(await withLock(folder, 0, async () => 'mine'), 'mine')
  }
  await writeFile(lock, `${process.ppid} 1`)
  await utimes(lock, 1, 1)
  assert.equal(await withLock(folder, 0, async () => 'mine'), 'mine')
})

test('the lock of a living process is waited for up to the limit, and stays', async () => {
  await writeFile(join(folder, 'lock'), `${process.ppid} 1`)
  await assert.rejects(
    withLock(folder, 30, async () => {}),
    /Another process/,
  )
  assert.deepEqual(await readdir(folder), ['lock'])
})

test('the lock of another container is waited for, whose process ids mean nothing here', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(join(folder, 'lock'), `${pid} 1 pid:[1]`)
  await assert.rejects(
    withLock(folder, 30, async () => {}),
    /Another process/,
  )
})

test('a failure inside releases the lock', async () => {
  await rm(join(folder, 'lock'))
  const failing = withLock(folder, 0, async () => {
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual(await readdir(folder), [])
})
