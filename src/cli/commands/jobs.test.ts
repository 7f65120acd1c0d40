import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run, runWith, folder } = await createCommandLine()
const { app, clock } = posthorn

/** Schedules an email that cannot be composed. Returns the email's id and its job's. */
async function poisoned() {
  const team = await posthorn.team()
  const scheduledAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', scheduledAt }
  const id: string = (await team.api.post('/v1/emails', email)).body.id
  await app.db.updateTable('emails').set({ from_address: 'nonsense' }).where('id', '=', id).execute()
  const mend = () => app.db.updateTable('emails').set({ from_address: email.from }).where('id', '=', id).execute()
  const { id: job } = await app.db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  return { team, id, job, mend }
}

/** The columns of the job's line. */
async function lineOf(job: string, ...options: string[]): Promise<string[] | undefined> {
  const { code, stdout, stderr } = await run('jobs', 'list', ...options)
  assert.equal(code, 0, stderr)
  const lines = stdout.split('\n').map((line) => line.split('\t'))
  return lines.find(([id]) => id === job)
}

slowTest(
  'an operator finds a job that fails, discards it, and lets it run again once its fault is mended',
  async () => {
    const { team, id, job, mend } = await poisoned()
    const scheduledAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
    assert.deepEqual(await lineOf(job), [job, 'emails.deliver', '0', scheduledAt, '-'])
    assert.equal(await lineOf(job, '--failing'), undefined)
    await posthorn.runDueJobsAfter(3_600_000)
    const again = new Date(clock.now().getTime() + 5000).toISOString()
    const failing = await lineOf(job, '--failing', '--kind', 'emails.deliver')
    assert.deepEqual(failing?.slice(0, 4), [job, 'emails.deliver', '1', again])
    assert.match(failing![4]!, /cannot be read/)
    assert.equal(await lineOf(job, '--discarded'), undefined)

    const gone = await run('jobs', 'discard', job)
    assert.deepEqual([gone.code, gone.stderr], [0, ''])
    assert.deepEqual((await lineOf(job, '--discarded'))?.slice(1, 4), ['emails.deliver', '1', 'discarded'])
    assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'bounced')
    const shown = JSON.parse((await run('jobs', 'show', job)).stdout)
    assert.deepEqual([shown.key, shown.teamId, shown.state], [id, team.id, 'discarded'])

    await mend()
    const retried = await run('jobs', 'retry', job)
    assert.match(retried.stdout, /was discarded, runs as soon as/, retried.stderr)
    await posthorn.runDueJobs()
    assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
    assert.equal(await lineOf(job), undefined)
  },
)

test('a job that waits for its next attempt runs now if an operator says so', async () => {
  const { team, id, job, mend } = await poisoned()
  clock.advance(3_600_000)
  for (let attempts = 0; attempts < 4; attempts++) {
    await posthorn.runDueJobs()
    clock.advance(3_600_000)
  }
  await posthorn.runDueJobs()
  await mend()
  assert.equal(await posthorn.runDueJobs(), 0)
  const { stdout } = await run('jobs', 'retry', job)
  assert.match(stdout, /was waiting, runs/)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
})

test('the commands say plainly what cannot be done', async () => {
  const schedules = app.db.selectFrom('jobs').select('id').where('kind', '=', 'retention.look')
  const { id: schedule } = await schedules.executeTakeFirstOrThrow()
  const calls: [code: number, message: RegExp, args: string[]][] = [
    [1, /[Tt]here is no job 999999/, ['jobs', 'show', '999999']],
    [1, /[Tt]here is no job 999999/, ['jobs', 'retry', '999999']],
    [1, /[Tt]here is no job 999999/, ['jobs', 'discard', '999999']],
    [1, /comes again for ever/, ['jobs', 'discard', schedule]],
    [2, /^A jobId is a number .* it was "abc"/, ['jobs', 'show', 'abc']],
    [2, /^<jobId> must be given/, ['jobs', 'retry']],
    [2, /^The command takes <jobId> only; there is also "2"/, ['jobs', 'discard', '1', '2']],
    [2, /^A jobId is a number/, ['jobs', 'retry', '99999999999999999999']],
    [2, /^The command has no option --all; it has --kind, --failing, --discarded/, ['jobs', 'list', '--all']],
    [2, /^--failing and --discarded list different jobs/, ['jobs', 'list', '--failing', '--discarded']],
  ]
  for (const [code, message, args] of calls) {
    const answer = await run(...args)
    assert.equal(answer.code, code, answer.stderr)
    assert.match(answer.stderr, message)
  }
  for (const command of ['list', 'show', 'retry', 'discard']) {
    const { code, stdout } = await run('jobs', command, '--help')
    assert.deepEqual([code, stdout.startsWith(`Usage: posthorn jobs ${command}`)], [0, true])
  }
})

test('a command without the settings of the server finds no database, and makes none', async () => {
  const elsewhere = join(folder, 'elsewhere')
  const commands = [
    ['jobs', 'list'],
    ['billing', 'verify'],
    ['secrets', 'rotate'],
    ['user', 'list'],
    ['backup', 'x'],
  ]
  for (const command of commands) {
    const { code, stdout, stderr } = await runWith({ DATABASE_URL: '', DATA_DIR: elsewhere }, ...command)
    const fault = `There is no database in ${elsewhere}. Give the command the settings of the server: its DATA_DIR or DATABASE_URL.\n`
    assert.deepEqual([code, stdout, stderr], [1, '', fault])
  }
  assert.equal(existsSync(elsewhere), false)
})
