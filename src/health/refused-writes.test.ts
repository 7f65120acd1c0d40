import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { until } from '../../test/patience.ts'

const posthorn = await createTestApp()
const { db } = posthorn.app
const team = await posthorn.team()
const email = { from: `shop@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'Hello' }

/** Lets the database refuse rows of a table as it does with a full disk, until the returned function is called. */
async function refuseWrites(table: string, code: string, when = 'true'): Promise<() => Promise<void>> {
  await sql`
    create or replace function refuse_write() returns trigger language plpgsql as
    $$ begin raise exception using errcode = tg_argv[0], message = 'could not extend file "base/1/2": No space left'; end $$
  `.execute(db)
  await sql`
    create trigger refuse_write before insert on ${sql.table(table)}
    for each row when (${sql.raw(when)}) execute function refuse_write(${sql.lit(code)})
  `.execute(db)
  return async () => {
    await sql`drop trigger refuse_write on ${sql.table(table)}`.execute(db)
  }
}

const inbox = async () => (await team.api.get('/v1/inbox')).body.data.length

for (const [code, cause] of [
  ['53100', /disk is full/],
  ['53200', /out of memory/],
  ['58030', /cannot read or write its files/],
] as const) {
  test(`a send that the database cannot store is answered with 503, and the process is not ready (${code})`, async () => {
    const allow = await refuseWrites('emails', code)
    const before = await inbox()
    const refused = await team.api.post('/v1/emails', email)
    assert.deepEqual([refused.status, refused.body.name], [503, 'unavailable'])
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.doesNotMatch(refused.text, /extend|No space/)
    const ready = await posthorn.anyone.get('/ready')
    assert.equal(ready.status, 503)
    assert.match(ready.body.message, cause)
    await allow()
    assert.equal(await inbox(), before)
    const { lastRefusedWrite } = posthorn.app
    posthorn.app.lastRefusedWrite = () => ({ ...lastRefusedWrite()!, at: performance.now() - 10_000 })
    assert.equal((await posthorn.anyone.get('/ready')).status, 200)
    posthorn.app.lastRefusedWrite = lastRefusedWrite
    assert.equal((await team.api.post('/v1/emails', email)).status, 200)
  })
}

test('an email that has left is not sent again because the database could not record it for a while', async () => {
  const before = await inbox()
  const allow = await refuseWrites('email_events', '53100', `new.type = 'sent'`)
  const sending = team.api.post('/v1/emails', email)
  await until(async () => (await inbox()) > before)
  await allow()
  assert.equal((await sending).status, 200)
  await posthorn.runDueJobsAfter(600_000)
  assert.equal(await inbox(), before + 1)
})
