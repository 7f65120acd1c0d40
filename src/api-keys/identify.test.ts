import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import type { App } from '../context.ts'
import { openDatabase } from '../platform/sql/db.ts'
import { identifyApiKey } from './identify.ts'
import { generateKey } from './key.ts'
import { listApiKeys } from './list.ts'
import { keyUses } from './note-use.ts'

const posthorn = await createTestApp()
const { app } = posthorn

/** Stands for another process: the same database, without this app's memory. */
function anotherProcess(nowMs = app.clock.now().getTime()): App {
  return { ...app, clock: { ...app.clock, now: () => new Date(nowMs) } }
}

async function lastUseOf(team: { id: string }, keyId: string): Promise<number | undefined> {
  const { data } = await listApiKeys(anotherProcess(), { teamId: team.id, domainId: null, mode: 'live' }, {})
  return data.find((key) => key.id === keyId)?.lastUsedAt?.getTime()
}

test('concurrent requests are each identified by their own key', async () => {
  const team = await posthorn.team()
  const other = await posthorn.team({ plan: 'pro', limits: { batchSize: 7 } })
  const scoped = await team.newKey({ domainId: team.domainId })
  const unknown = generateKey()
  const keys = [team.key, other.key, scoped.key, unknown, team.key, `${team.key}x`, team.key.toLowerCase(), 'ph_', '']
  const callers = await Promise.all(keys.map((key) => identifyApiKey(app, key)))
  const full = {
    kind: 'apiKey',
    teamId: team.id,
    permission: 'full_access',
    mode: 'live',
    domainId: null,
    expiresAt: null,
    plan: 'enterprise',
    limitOverrides: {},
  }
  const { id, ...first } = callers[0]!
  assert.deepEqual(first, full)
  assert.deepEqual(callers[4], { id, ...full })
  assert.deepEqual(
    [callers[1]!.teamId, callers[1]!.plan, callers[1]!.limitOverrides],
    [other.id, 'pro', { batchSize: 7 }],
  )
  assert.deepEqual(
    [callers[2]!.id, callers[2]!.permission, callers[2]!.domainId],
    [scoped.id, 'sending_access', team.domainId],
  )
  for (const index of [3, 5, 6, 7, 8]) assert.equal(callers[index], null, keys[index])
})

test('a revoked key is refused by every process at once', async () => {
  const team = await posthorn.team()
  const { id, key } = await team.newKey()
  const elsewhere = anotherProcess()
  assert.equal((await identifyApiKey(elsewhere, key))?.id, id)
  await team.api.delete(`/v1/api-keys/${id}`)
  assert.equal(await identifyApiKey(elsewhere, key), null)
})

test('the last use is stored, and never moves back', async () => {
  const team = await posthorn.team()
  const { id, key } = await team.newKey()
  await identifyApiKey(app, key)
  assert.equal(await lastUseOf(team, id), undefined)
  await keyUses.flush(app)
  const usedAt = app.clock.now().getTime()
  assert.equal(await lastUseOf(team, id), usedAt)
  const behind = anotherProcess(usedAt - 60_000)
  await identifyApiKey(behind, key)
  await keyUses.flush(behind)
  assert.equal(await lastUseOf(team, id), usedAt)
  const ahead = anotherProcess(usedAt + 60_000)
  await identifyApiKey(ahead, key)
  await keyUses.flush(ahead)
  assert.equal(await lastUseOf(team, id), usedAt + 60_000)
})

test('a key that is deleted after its use is skipped, and the uses of other keys are stored', async () => {
  const team = await posthorn.team()
  const [gone, kept] = [await team.newKey(), await team.newKey()]
  await Promise.all([identifyApiKey(app, gone.key), identifyApiKey(app, kept.key)])
  await team.api.delete(`/v1/api-keys/${gone.id}`)
  await keyUses.flush(app)
  assert.equal(await lastUseOf(team, kept.id), app.clock.now().getTime())
})

test('a use that could not be stored is kept for the next time', async () => {
  const team = await posthorn.team()
  const { id } = await team.newKey()
  const nowhere = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
  const process = { ...app, db: nowhere.db }
  keyUses.note(process, { teamId: team.id, id })
  await keyUses.flush(process)
  await nowhere.close()
  process.db = app.db
  await keyUses.flush(process)
  assert.equal(await lastUseOf(team, id), app.clock.now().getTime())
})
