import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import type { EmailProvider } from '../emails/provider.ts'
import { ask } from './fixtures/ask.ts'
import { runPrivacyJob } from './jobs.ts'

const handOver = { begin: () => {}, end: Promise.resolve() }
const provider: EmailProvider = {
  ...toldProvider().provider,
  async send(message) {
    handOver.begin()
    await handOver.end
    return accepted(message)
  },
}
const posthorn = await createTestApp({}, { emailProvider: provider })
const { app } = posthorn
const ada = 'ada@people.test'

type Counts = Record<string, { removed?: number; left?: number }>

/** Runs the due jobs, with turns of an erasure that a stop signal ends after five pages each. */
async function runInShortTurns(beforeTurn: () => Promise<unknown>) {
  const definition = app.jobs.definitionOf(runPrivacyJob.kind)!
  const { run } = definition
  const { isDraining } = app
  definition.run = async (running, job) => {
    await beforeTurn()
    let pages = 0
    app.isDraining = () => ++pages > 5
    return run(running, job).finally(() => Object.assign(app, { isDraining }))
  }
  await posthorn.runDueJobs()
  Object.assign(definition, { run })
}

slowTest(
  'an erasure that is stopped while it counts what is left goes on where it was, and counts nothing twice',
  async () => {
    const team = await posthorn.team()
    let answer = () => {}
    const isBegun = new Promise<void>((resolve) => {
      handOver.begin = resolve
    })
    handOver.end = new Promise((resolve) => {
      answer = resolve
    })
    const email = { from: `shop@${team.domain}`, to: [ada], subject: 'Hello', text: 'Hello' }
    const sending = team.api.post('/v1/emails', email)
    await isBegun
    const { api, path } = await ask(team, { type: 'erase', email: ada })
    const counted: number[] = []
    await runInShortTurns(async () => {
      const counts: Counts = (await ok(api.get(path))).counts
      counted.push(Object.values(counts).filter(({ left }) => left !== undefined).length)
    })
    const first = await ok(api.get(path))
    // Each turn counts a few kinds more than the one before, up to all of them.
    const more = counted.slice(1).map((count, turn) => count - counted[turn]!)
    assert.ok(Math.max(...more) <= 5 && Math.min(...more) >= 0, counted.join(' '))
    assert.equal(counted.at(-1), Object.keys(first.counts).length, counted.join(' '))
    assert.deepEqual([first.status, first.counts.emails], ['running', { removed: 0, left: 1 }])
    answer()
    await sending
    await posthorn.runDueJobsAfter(31_000)
    const second = await ok(api.get(path))
    assert.deepEqual([second.status, second.counts.emails], ['done', { removed: 1, left: 0 }])
    for (const [name, { left }] of Object.entries<Counts[string]>(second.counts)) assert.equal(left, 0, name)
  },
)

test('an erasure that an earlier version began is counted and ended', async () => {
  const team = await posthorn.team()
  await ok(team.api.post('/v1/contacts', { email: ada }))
  const { api, path, made } = await ask(team, { type: 'erase', email: ada })
  await app.transaction((tx) =>
    tx.db.updateTable('privacy_requests').set({ trace: 'end' }).where('id', '=', made.id).execute(),
  )
  await posthorn.runDueJobs()
  const first = await ok(api.get(path))
  assert.deepEqual([first.status, first.counts.contacts], ['running', { left: 1 }])
  await posthorn.runDueJobsAfter(31_000)
  const second = await ok(api.get(path))
  assert.deepEqual([second.status, second.counts.contacts], ['done', { removed: 1, left: 0 }])
})

test('an export that another version left at a step of its own begins anew', async () => {
  const team = await posthorn.team()
  await ok(team.api.post('/v1/contacts', { email: ada }))
  const { api, path, made } = await ask(team, { type: 'export', email: ada })
  const left = { trace: '0 ofAnotherVersion', counts: JSON.stringify({ emails: { found: 7 } }) }
  await app.transaction((tx) => tx.db.updateTable('privacy_requests').set(left).where('id', '=', made.id).execute())
  await posthorn.runDueJobs()
  const { status, counts } = await ok(api.get(path))
  assert.deepEqual([status, counts.contacts, counts.emails], ['done', { found: 1 }, { found: 0 }])
})
