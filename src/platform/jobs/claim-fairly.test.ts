import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { fairTurns } from './claim-fairly.ts'
import { enqueueJobs } from './enqueue.ts'
import { teamJob } from './job.ts'
import { deleteHeldJobs } from './leases.ts'

const { app, clock } = await createTestApp()
const runs = teamJob('workflows.run')
const { kind } = runs
const token = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Creates a team for each count and adds that number of jobs to it. Returns the ids of the teams. */
async function addJobs(counts: number[], runAt = clock.now()): Promise<string[]> {
  const teams = counts.map(() => app.newId())
  const jobs = teams.flatMap((teamId, index) =>
    Array.from({ length: counts[index]! }, () => ({ teamId, key: app.newId(), runAt })),
  )
  await app.transaction((tx) => enqueueJobs(tx, runs, jobs))
  return teams
}

/** Claims jobs and returns them by team. */
async function claim(turns: ReturnType<typeof fairTurns>, free: number) {
  const jobs = await turns.claim(app, { kind, free }, token)
  for (const job of jobs) turns.enter(job)
  return Map.groupBy(jobs, ({ teamId }) => teamId)
}

async function clear(): Promise<void> {
  const jobs = await app.db.selectFrom('jobs').select(['id', 'lease_token']).where('kind', '=', kind).execute()
  await app.db.updateTable('jobs').set({ lease_token: token }).where('kind', '=', kind).execute()
  await app.transaction((tx) =>
    deleteHeldJobs(
      tx,
      jobs.map(({ id }) => ({ id, leaseToken: token })),
    ),
  )
}

test('a team with very many due jobs does not delay teams with one', async () => {
  const [flood, ...others] = await addJobs([2000, 1, 1, 1])
  const claimed = await claim(fairTurns(), 100)
  for (const team of others) assert.equal(claimed.get(team)?.length, 1)
  assert.ok((claimed.get(flood!)?.length ?? 0) >= 25)
  await clear()
})

test('a team uses at most as many slots as it leaves free, so that the next team finds one', async () => {
  const [flood] = await addJobs([300])
  const turns = fairTurns()
  let held = 0
  for (let turn = 0; turn < 10; turn++) held += (await claim(turns, 100 - held)).get(flood!)?.length ?? 0
  assert.equal(held, 50)
  const [late] = await addJobs([1])
  assert.equal((await claim(turns, 50)).get(late!)?.length, 1)
  await clear()
})

test('if there are more teams than slots, or than one turn looks at, each team still gets its turn', async () => {
  const teams = await addJobs(Array.from({ length: 700 }, () => 2))
  const turns = fairTurns()
  const seen = new Map<string, number>()
  for (let turn = 0; turn < 7; turn++) {
    const claimed = await claim(turns, 100)
    for (const [team, jobs] of claimed) seen.set(team, (seen.get(team) ?? 0) + jobs.length)
  }
  assert.equal(seen.size, teams.length)
  assert.deepEqual([...new Set(seen.values())], [1])
  await clear()
})

test('jobs that are not due yet are not claimed', async () => {
  await addJobs([3, 1], new Date(clock.now().getTime() + 1))
  assert.equal((await claim(fairTurns(), 100)).size, 0)
  clock.advance(1)
  assert.equal((await claim(fairTurns(), 100)).size, 2)
  await clear()
})
