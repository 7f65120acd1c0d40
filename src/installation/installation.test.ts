import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, createTestApp, ok } from '../../test/app.ts'
import { readConfig } from '../config.ts'
import { discardJob } from '../platform/jobs/discarded/retry.ts'
import { createSystemMailApp } from '../system-mail/fixtures/system-team.ts'
import { version } from '../version.ts'

test('a caller reads how the installation is set up, with the ports that are open', async () => {
  const posthorn = await createTestApp({ SMTP_PORT: '0', SMTPS_PORT: 'off', PUBLIC_URL: 'https://mail.example.com' })
  const team = await posthorn.team()
  const closed = await team.api.get('/v1/installation')
  assert.deepEqual(closed.body.smtp, { host: 'mail.example.com', port: null, tlsPort: null })
  const ports = await posthorn.openDoors()
  const body = await ok((await team.member('viewer')).api.get('/v1/installation'))
  assert.deepEqual(body, {
    version,
    publicUrl: 'https://mail.example.com',
    providers: { email: 'capture', sms: 'capture', whatsapp: 'capture', payments: 'sandbox' },
    smtp: { host: 'mail.example.com', port: ports.smtp, tlsPort: null },
    discardedJobs: null,
  })
})

test('ports that are mapped are shown as mail programs reach them', async () => {
  const mapped = { SMTP_PORT: '2587', SMTPS_PORT: 'off', PUBLIC_SMTP_PORT: '587', PUBLIC_SMTPS_PORT: '465' }
  const smtpOf = async (environment: Record<string, string>) => {
    const { api } = await (await createTestApp(environment)).team()
    return (await api.get('/v1/installation')).body.smtp
  }
  assert.deepEqual(await smtpOf(mapped), { host: 'localhost', port: 587, tlsPort: 465 })
  assert.deepEqual(await smtpOf({ PUBLIC_SMTP_PORT: 'off' }), { host: 'localhost', port: null, tlsPort: 2465 })
  assert.throws(() => readConfig({ PUBLIC_SMTP_PORT: '0' }), /PUBLIC_SMTP_PORT must be a port from 1 to 65535, or off/)
})

test('only the team of the operator is told how many jobs were discarded', async () => {
  const posthorn = await createSystemMailApp()
  const other = await posthorn.team()
  const read = async (api: Api) => (await api.get('/v1/installation')).body.discardedJobs
  assert.deepEqual([await read(posthorn.systemTeam.api), await read(other.api)], [0, null])
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const email = { from: `a@${other.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', scheduledAt }
  const { id } = (await other.api.post('/v1/emails', email)).body
  const job = await posthorn.app.db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  await discardJob(posthorn.app, job.id)
  assert.deepEqual([await read(posthorn.systemTeam.api), await read(other.api)], [1, null])
})
