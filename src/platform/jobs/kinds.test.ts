import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { features } from '../../features.ts'
import { delay, makeFlow } from '../../workflows/executions/fixtures/flow.ts'

const posthorn = await createTestApp()
const { app } = posthorn
const migration = readFileSync(new URL('../../../migrations/0033_job_kinds.sql', import.meta.url), 'utf8')
const kinds = features.flatMap(({ jobs = [], schedules = [] }) => [...jobs, ...schedules].map(({ kind }) => kind))

test('every kind of job is named folder.verb-in-kebab', () => {
  const strays = kinds.filter((kind) => !/^[a-z-]+\.[a-z]+(-[a-z]+)*$/.test(kind))
  assert.deepEqual(strays, [])
})

test('a job that an older version added under its former name is renamed and runs', async () => {
  const team = await posthorn.team()
  const flow = await makeFlow(team, [delay('wait', '60s')], ['start>wait'])
  const id = await flow.run(posthorn)
  await sql`update jobs set kind = 'workflows.parked' where key = ${id}`.execute(app.db)
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await flow.get(id)).status, 'waiting')
  await sql.raw(migration).execute(app.db)
  await posthorn.runDueJobs()
  assert.equal((await flow.get(id)).status, 'completed')
})

test('the migration renames each former kind to an existing one', () => {
  const renamed = [...migration.matchAll(/\('[\w.]+', '([\w.-]+)'\)/g)].map(([, name = '']) => name)
  assert.equal(renamed.length, 8)
  assert.deepEqual(
    renamed.filter((name) => !kinds.includes(name)),
    [],
  )
})

/** A repeat of these sends nothing, or the provider recognises it as a repeat: see docs/decisions/backup.md. */
const harmless = `
  audience.forget-members billing.deliver-sandbox-event billing.end-replaced billing.report-usage broadcasts.stop
  contacts.mark-erased domains.check jobs.tell-restored privacy.run retention.remove-old sms.find-price teams.remove-deleted
  unsubscribe.opt-out webhooks.deliver webhooks.forget-deliveries workflows.forget`

test('each kind of job says what becomes of it when a backup is restored, or is known to do no harm', () => {
  const jobs = features.flatMap(({ jobs = [] }) => jobs)
  const silent = jobs.filter(({ atRestore }) => atRestore === undefined).map(({ kind }) => kind)
  assert.deepEqual(silent.sort(), harmless.trim().split(/\s+/))
})
