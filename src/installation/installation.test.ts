import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { version } from '../version.ts'

test('a caller reads how the installation is set up, with the ports that are open', async () => {
  const posthorn = await createTestApp({ SMTP_PORT: '0', SMTPS_PORT: 'off', PUBLIC_URL: 'https://mail.example.com' })
  const team = await posthorn.team()
  const closed = await team.api.get('/v1/installation')
  assert.deepEqual(closed.body.smtp, { host: 'mail.example.com', port: null, tlsPort: null })
  const ports = await posthorn.openDoors()
  const { status, body } = await (await team.member('viewer')).api.get('/v1/installation')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    version,
    publicUrl: 'https://mail.example.com',
    providers: { email: 'capture', sms: 'capture', whatsapp: 'capture', payments: 'sandbox' },
    smtp: { host: 'mail.example.com', port: ports.smtp, tlsPort: null },
  })
})
