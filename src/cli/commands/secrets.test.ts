import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type TOTP, URI } from 'otpauth'
import { apiOf, ok, type TestTeam, testSecret } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { sourceFiles } from '../../../test/source.ts'
import { sealedColumns } from '../../app.ts'
import { unsubscribeTokenOf } from '../../contacts/unsubscribe/token.ts'
import { findCredentialSecret } from '../../credentials/queries.ts'
import { signingKeyOf } from '../../domains/dkim/signing-key.ts'
import { returnAddress } from '../../emails/return-address.ts'
import { createKeyring } from '../../platform/keys/keyring.ts'
import { rotateSealed } from '../../platform/sealed/rotate.ts'
import { openKeyring } from '../../platform/stored-keys/open.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run, runWith } = await createCommandLine()
const { app, clock } = posthorn
const newSecret = 'a newer secret, of thirty-two bytes and more'
const password = 'a long and winding road'

/** Creates another process on the same database with these secrets, the newest first. */
async function processWith(...secrets: string[]) {
  const keyring = await openKeyring(app, { secrets, columns: sealedColumns, newId: app.newId, now: clock.now() })
  const running = await posthorn.another({ keyring })
  return { ...running, as: (token: string | null) => apiOf(running, token) }
}

async function person() {
  const email = `ada${app.newId()}@example.com`
  const { body } = await posthorn.anyone.post('/auth/signup', { email, password })
  const api = posthorn.as(body.accessToken)
  const authenticator = URI.parse((await api.post('/auth/2fa/setup')).body.otpauthUrl) as TOTP
  const code = () => authenticator.generate({ timestamp: clock.now().getTime() })
  const verified = await api.post('/auth/2fa/verify', { code: code() })
  clock.advance(60_000)
  return { email, body, code, recoveryCodes: verified.body.recoveryCodes as string[] }
}

async function unsubscribeToken(team: TestTeam, email: string): Promise<string> {
  const { id } = (await team.api.post('/v1/contacts', { email })).body
  const { unsubscribe_seed } = await app.db
    .selectFrom('contacts')
    .select('unsubscribe_seed')
    .where('team_id', '=', team.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return unsubscribeTokenOf(app.keyring, unsubscribe_seed)
}

async function sealedThings(team: TestTeam) {
  const secret = { token: 'a token' }
  const credential = await team.api.post('/v1/credentials', { name: 'CRM', type: 'bearer', secret })
  const drawn = await team.api.post('/v1/workflows', { name: 'Tell' })
  const config = { webhook_url: 'https://hooks.slack.com/services/T/B/x', text: 'Hello' }
  const nodes = [{ id: 'tell', type: 'slack_notification', name: 'Tell', config }]
  await team.api.patch(`/v1/workflows/${drawn.body.id}`, { nodes, connections: [] })
  await team.api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/', events: ['email.sent'] })
  return { credentialId: credential.body.id as string }
}

async function countOlder(keyring = createKeyring([newSecret, testSecret])): Promise<number> {
  let older = 0
  for (const { table, column } of sealedColumns) {
    const rows = await app.db.selectFrom(table).selectAll().execute()
    const values = rows.map((row) => (row as Record<string, unknown>)[column])
    older += values.filter((value) => typeof value === 'string' && !value.startsWith(keyring.newestHead)).length
  }
  return older
}

slowTest(
  'with a new secret and the old one as previous, values that the old one signed or encrypted stay valid',
  async () => {
    const [ada, team] = [await person(), await posthorn.team()]
    const token = await unsubscribeToken(team, 'reader@example.com')
    const { credentialId } = await sealedThings(team)
    await team.api.post('/v1/contacts', { email: 'second@example.com' })
    const page = await team.api.get('/v1/contacts?limit=1')
    const address = returnAddress(
      app.keyring,
      { emailId: app.newId(), recipient: 0, returnPath: 'send.shop.test' },
      app.clock.now(),
    )
    const fresh = await processWith(newSecret, testSecret)
    await ok(fresh.as(null).post('/auth/refresh', { refreshToken: ada.body.refreshToken }))
    const [me, login, list] = [
      await fresh.as(ada.body.accessToken).get('/auth/me'),
      await fresh.as(null).post('/auth/login', { email: ada.email, password, code: ada.code() }),
      await fresh.as(team.key).get(`/v1/contacts?limit=1&cursor=${page.body.cursor}`),
    ]
    assert.deepEqual([me.status, login.status, list.status], [200, 200, 200])
    assert.deepEqual(await findCredentialSecret(fresh.app, team.id, credentialId), {
      ...{ type: 'bearer', secret: { token: 'a token' }, allowedHosts: null },
    })
    const { readReturnAddress } = await import('../../emails/return-address.ts')
    assert.ok(readReturnAddress(fresh.app.keyring, address, app.clock.now()))
    assert.equal((await fresh.as(null).post(`/unsubscribe?token=${token}`)).status, 200)
    // Mail that is sent now has the same links.
    const contact = await app.db
      .selectFrom('contacts')
      .select('unsubscribe_seed')
      .where('email', '=', 'reader@example.com')
    const { unsubscribe_seed } = await contact.executeTakeFirstOrThrow()
    assert.equal(unsubscribeTokenOf(fresh.app.keyring, unsubscribe_seed), token)
  },
)

test('a refresh token that two processes with different newest secrets exchange at once has one successor', async () => {
  const { body } = await posthorn.anyone.post('/auth/signup', { email: `${app.newId()}@example.com`, password })
  const fresh = await processWith(newSecret, testSecret)
  const [first, second] = [
    await posthorn.anyone.post('/auth/refresh', { refreshToken: body.refreshToken }),
    await fresh.as(null).post('/auth/refresh', { refreshToken: body.refreshToken }),
  ]
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.equal(second.body.refreshToken, first.body.refreshToken)
})

test('a start without the secret that is in use is refused, with any stored values', async () => {
  await run('team', 'list')
  const refused = await runWith({ APP_SECRET: newSecret }, 'team', 'list')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^APP_SECRET must be .* APP_SECRET_PREVIOUS must name that one: /)
  const short = await runWith({ APP_SECRET_PREVIOUS: 'short,shorter' }, 'team', 'list')
  assert.deepEqual([short.code, short.stderr.includes('short,')], [1, false])
  assert.match(short.stderr, /^APP_SECRET_PREVIOUS must be up to 5 secrets of at least 32 bytes each/)
  const both = await runWith({ APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testSecret }, 'team', 'list')
  assert.equal(both.code, 0, both.stderr)
})

slowTest('secrets rotate continues after an interruption, and afterwards the old secret is not needed', async () => {
  const [ada, team] = [await person(), await posthorn.team()]
  const { credentialId } = await sealedThings(team)
  const token = await unsubscribeToken(team, 'lasting@example.com')
  const fresh = await processWith(newSecret, testSecret)
  const older = await countOlder()
  const cut = rotateSealed(fresh.app, sealedColumns, ({ done }) => {
    if (done > 0) throw new Error('cut short')
  })
  await assert.rejects(cut, /cut short/)
  const left = await countOlder()
  assert.ok(left > 0 && left < older, `${left} of ${older} left`)
  const { code, stdout, stderr } = await runWith(
    { APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testSecret },
    ...['secrets', 'rotate'],
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`^${left} values were encrypted with the present APP_SECRET\\.\\nNo value is `))
  assert.equal(await countOlder(), 0)
  const after = await processWith(newSecret)
  const login = await after.as(null).post('/auth/login', { email: ada.email, password, code: ada.code() })
  assert.equal(login.status, 200, login.text)
  const recovered = await after
    .as(null)
    .post('/auth/login', { email: ada.email, password, code: ada.recoveryCodes[0]!.toUpperCase() })
  assert.equal(recovered.status, 200, recovered.text)
  assert.ok(await findCredentialSecret(after.app, team.id, credentialId))
  const domain = await app.db
    .selectFrom('domains')
    .select(['id', 'dkim_private_key as dkimPrivateKey'])
    .where('team_id', '=', team.id)
    .executeTakeFirstOrThrow()
  assert.ok(signingKeyOf(after.app, domain))
  assert.equal((await after.as(null).post(`/unsubscribe?token=${token}`)).status, 200)
  assert.equal((await team.api.get('/v1/contacts')).body.data[0].unsubscribed, true)
})

slowTest(
  'while a process still encrypts with the old secret, secrets rotate fails and a start without that one is refused',
  async () => {
    const old = { APP_SECRET: testSecret, APP_SECRET_PREVIOUS: newSecret }
    assert.equal((await runWith(old, 'secrets', 'rotate')).code, 0)
    const team = await posthorn.team()
    const { id } = (await team.api.post('/v1/credentials', { name: 'x', type: 'bearer', secret: { token: 'x' } })).body
    // As if that process wrote the value again right after each commit of the command.
    await sql`
    create function write_again() returns trigger language plpgsql as $$ begin new.secret := old.secret; return new; end $$
  `.execute(app.db)
    await sql`create trigger write_again before update on credentials for each row execute function write_again()`.execute(
      app.db,
    )
    const [both, alone] = [{ APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testSecret }, { APP_SECRET: newSecret }]
    const early = await runWith(both, 'secrets', 'rotate')
    assert.equal(early.code, 1)
    assert.match(early.stderr, /a process still encrypts with it/)
    assert.equal((await runWith(alone, 'team', 'list')).code, 1)
    await sql`drop trigger write_again on credentials`.execute(app.db)
    const { code, stderr } = await runWith(both, 'secrets', 'rotate')
    assert.equal(code, 0, stderr)
    assert.equal((await runWith(alone, 'team', 'list')).code, 0)
    assert.ok(await findCredentialSecret((await processWith(newSecret)).app, team.id, id))
  },
)

test('values that no given secret decrypts are counted, and the command fails', async () => {
  const old = { APP_SECRET: testSecret, APP_SECRET_PREVIOUS: newSecret }
  assert.equal((await runWith(old, 'secrets', 'rotate')).code, 0)
  const team = await posthorn.team()
  const stranger = createKeyring('the secret of somebody else, thirty-two bytes')
  const foreignOfVersion1 = version1.replace('T1Z597', 'U1Z597')
  for (const foreign of [(id: string) => stranger.encrypt('credential', '{}', id), () => foreignOfVersion1]) {
    const credential = { name: app.newId(), type: 'bearer', secret: { token: 'x' } }
    const { id } = (await team.api.post('/v1/credentials', credential)).body
    await app.db
      .updateTable('credentials')
      .set({ secret: foreign(id) })
      .where('id', '=', id)
      .execute()
  }
  const environment = { APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testSecret }
  const { code, stderr } = await runWith(environment, 'secrets', 'rotate')
  assert.equal(code, 1)
  assert.match(stderr, /2 values cannot be read with any of these secrets/)
  // The secrets that are known do not open those values, so they are not needed for them.
  assert.equal((await runWith({ APP_SECRET: newSecret }, 'team', 'list')).code, 0)
})

test('an encrypted value that is copied to another row does not open there, and version 1 values still open', async () => {
  const keyring = createKeyring([newSecret, testSecret])
  const [here, there] = [app.newId(), app.newId()]
  const sealed = keyring.encrypt('credential', 'a secret', here)
  assert.equal(keyring.decrypt('credential', sealed, here), 'a secret')
  assert.throws(() => keyring.decrypt('credential', sealed, there))
  assert.throws(() => keyring.decrypt('webhook', sealed, here))
  // Encrypted by version 0.1 with the secret of tests.
  assert.equal(keyring.decrypt('credential', version1, here), 'an old secret')
  assert.throws(() => createKeyring(newSecret).decrypt('credential', version1, here))
})

const version1 = 'v1.T1Z597untY1ipk_O.ExRA2HpuGFglClR9OpoQ8A.dzJmDqm0UIjBnbdrKg'

test('secrets rotate encrypts every column again that is documented as encrypted', () => {
  const documented = sourceFiles()
    .filter(({ path }) => path.endsWith('/table.ts'))
    .flatMap(({ path }) => {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
      return [...text.matchAll(/\/\*\* Encrypted[^\n]*\n\s+(\w+):/g)].map(([, column]) => column)
    })
  assert.deepEqual(documented.sort(), sealedColumns.map(({ column }) => column).sort())
})
