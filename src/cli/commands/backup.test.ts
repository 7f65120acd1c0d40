import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ok, testSecret } from '../../../test/app.ts'
import { onServer } from '../../../test/database.ts'
import { slowTest } from '../../../test/slow.ts'
import { openTestPool } from '../../../test/spare-databases.ts'
import { findCredentialSecret } from '../../credentials/queries.ts'
import { createInstallation, mailOf } from '../fixtures/installation.ts'
import { appOn, contentOf, emptyDatabase, isEmpty } from '../fixtures/restored.ts'

const installation = await createInstallation()
const { posthorn, database, folder, team, run, runWith, newFile, backUp, restore } = installation

/** Each restore writes these. */
const isWritten = (table: string) => table === 'feed_cluster' || table === 'migrations'

/** Inserts a row that a check refuses which was added for later rows only. */
async function insertOldRow(): Promise<void> {
  await onServer(database, async (client) => {
    const { rows } = await client.query(
      "select pg_get_constraintdef(oid) as check from pg_constraint where conname = 'broadcast_recipients_outcome_check'",
    )
    await client.query('alter table broadcast_recipients drop constraint broadcast_recipients_outcome_check')
    await client.query(
      `insert into broadcast_recipients (team_id, broadcast_id, contact_id, outcome)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'forgotten')`,
      [team.id],
    )
    await client.query(
      `alter table broadcast_recipients add constraint broadcast_recipients_outcome_check ${rows[0].check}`,
    )
  })
}

slowTest(
  'a restored installation has the same rows and the same schema, in a database without tables and in a migrated one',
  async () => {
    await insertOldRow()
    const file = await backUp()
    const expected = await contentOf(database, isWritten)
    assert.ok(Object.values(expected.content).filter((content) => content !== '0 -').length > 20)
    for (const kind of ['new', 'migrated'] as const) {
      const target = await emptyDatabase(kind)
      await restore(target.environment, file, '--send-waiting')
      assert.deepEqual(await contentOf(target.config, isWritten), expected)
    }
  },
)

slowTest(
  'a backup that is made while a server writes is one moment, whose encrypted values open after the restore',
  async () => {
    let isOver = false
    const writing = (async () => {
      for (let at = 0; !isOver; at++) {
        posthorn.clock.advance(100)
        await ok(team.api.post('/v1/emails', mailOf(team, `During ${at}`)))
      }
    })()
    const file = await backUp()
    isOver = true
    await writing
    const target = await emptyDatabase()
    await restore(target.environment, file)
    const restored = await appOn(target.config)
    const api = restored.as(team.key)
    const emails = await ok(api.get('/v1/emails?limit=100'))
    assert.ok(emails.data.length >= 3)
    const [first] = emails.data.slice(-1)
    assert.deepEqual(await ok(api.get(`/v1/emails/${first.id}`)), await ok(team.api.get(`/v1/emails/${first.id}`)))
    assert.deepEqual(await ok(api.get('/v1/contacts')), await ok(team.api.get('/v1/contacts')))
    const [credential] = (await ok(api.get('/v1/credentials'))).data
    assert.deepEqual((await findCredentialSecret(restored.app, team.id, credential.id))?.secret, { token: 'a token' })
    assert.equal((await ok(api.post('/v1/emails', mailOf(team, 'After')))).status, 'sent')
  },
)

test('a backup is readable by its owner only, never replaces a file, and leaves nothing behind when it fails', async () => {
  const file = await backUp()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const before = readFileSync(file)
  const again = await run('backup', file)
  assert.deepEqual([again.code, again.stderr], [1, `posthorn: ${file} exists; give the name of a new file.\n`])
  assert.deepEqual(readFileSync(file), before)
  const other = await runWith({ APP_SECRET: 'another secret, of thirty-two bytes and more' }, 'backup', newFile())
  assert.equal(other.code, 1)
  assert.match(other.stderr, /^APP_SECRET must be the secret this database was last used with/)
  const names = await readdir(folder)
  assert.deepEqual(
    names.filter((name) => name.endsWith('.part')),
    [],
  )
})

slowTest('a backup with a passphrase holds nothing that can be read, and one without says so', async () => {
  const bare = newFile()
  const { stderr } = await run('backup', bare)
  assert.match(stderr, /will not be encrypted: whoever reads it has all data, and APP_SECRET\. Give a passphrase/)
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, 'a long passphrase\n')
  const file = newFile()
  const made = await run('backup', file, '--passphrase-file', passphraseFile)
  assert.deepEqual([made.code, /encrypted: whoever/.test(made.stderr)], [0, false])
  assert.match(made.stdout, /, encrypted\n$/)
  const target = await emptyDatabase()
  const refused = async (environment: NodeJS.ProcessEnv, reason: RegExp) => {
    const { code, stderr } = await runWith({ ...target.environment, ...environment }, 'restore', file)
    assert.equal(code, 1)
    assert.match(stderr, reason)
    assert.ok(await isEmpty(target.config))
  }
  await refused({}, /is encrypted: give its passphrase with --passphrase-file FILE or in POSTHORN_BACKUP_PASSPHRASE\./)
  await refused({ POSTHORN_BACKUP_PASSPHRASE: 'another passphrase' }, /The passphrase does not open \S+\.backup\.\n$/)
  await restore({ ...target.environment, POSTHORN_BACKUP_PASSPHRASE: 'a long passphrase' }, file)
})

slowTest('a file that is cut short, altered or no backup is refused before anything is written', async () => {
  const POSTHORN_BACKUP_PASSPHRASE = 'a long passphrase'
  const file = newFile()
  assert.equal((await runWith({ POSTHORN_BACKUP_PASSPHRASE }, 'backup', file)).code, 0)
  const bytes = readFileSync(file)
  const target = await emptyDatabase()
  const refused = async (content: Buffer, reason: RegExp) => {
    const damaged = newFile()
    writeFileSync(damaged, content)
    const environment = { ...target.environment, POSTHORN_BACKUP_PASSPHRASE }
    const { code, stderr } = await runWith(environment, 'restore', damaged)
    assert.equal(code, 1)
    assert.match(stderr, reason)
    assert.ok(await isEmpty(target.config))
  }
  const wrongSum = /is damaged or cut short: its checksum is wrong\. Take another copy of it\.\n$/
  for (const length of [40, bytes.length - 1, Math.floor(bytes.length / 2)]) {
    await refused(bytes.subarray(0, length), wrongSum)
  }
  const altered = Buffer.from(bytes)
  altered[Math.floor(bytes.length / 2)]! ^= 1
  await refused(altered, wrongSum)
  await refused(Buffer.from('PGDMP and so on'), /is not a file of posthorn backup, or it is cut short\.\n$/)
  await refused(Buffer.alloc(0), /is not a file of posthorn backup/)
  const newer = Buffer.concat([Buffer.from('posthorn backup 2\n'), bytes.subarray(18)])
  await refused(newer, /was made by a newer version of Posthorn/)
  const missing = await runWith(target.environment, 'restore', join(folder, 'none'))
  assert.deepEqual([missing.code, /There is no file \S+none\.\n$/.test(missing.stderr)], [1, true])
})

slowTest('a database that holds anything, or that a server uses, is refused and stays as it is', async () => {
  const file = await backUp()
  const expected = await contentOf(database, () => false)
  // A connection that is in use, as a server has at any time. The test's app closes its own when it is idle.
  const server = openTestPool(database)
  const connection = await server.pool.connect()
  const used = await run('restore', file)
  connection.release()
  await server.close()
  assert.equal(used.code, 1)
  assert.match(used.stderr, /A server of Posthorn runs on this database: stop it first\.\n$/)
  assert.deepEqual(await contentOf(database, () => false), expected)
  const target = await emptyDatabase()
  // An idle server without workers has no other connection.
  await onServer({ ...target.config, application_name: 'posthorn-listen' }, async () => {
    const { code, stderr } = await runWith(target.environment, 'restore', file)
    assert.deepEqual([code, /A server of Posthorn runs on this database/.test(stderr)], [1, true], stderr)
  })
  await restore(target.environment, file)
  const filled = await runWith(target.environment, 'restore', file)
  assert.equal(filled.code, 1)
  assert.match(
    filled.stderr,
    /The database is not empty: it has teams \(\d+\) or users \(\d+\)\. Restore into a new database/,
  )
})

slowTest(
  'a restore without APP_SECRET writes that of the backup and keeps the one that was there, and another one is refused',
  async () => {
    const file = await backUp()
    const target = await emptyDatabase()
    const other = await runWith(
      { ...target.environment, APP_SECRET: 'another secret, of thirty-two bytes and more' },
      ...['restore', file],
    )
    assert.equal(other.code, 1)
    assert.match(other.stderr, /APP_SECRET must be that of the backup, or APP_SECRET_PREVIOUS must name it\./)
    const DATA_DIR = join(folder, 'new')
    mkdirSync(DATA_DIR)
    writeFileSync(join(DATA_DIR, 'app.secret'), 'the secret of a start before\n')
    const { stdout } = await restore({ ...target.environment, DATA_DIR, APP_SECRET: '' }, file)
    assert.match(stdout, /The APP_SECRET of the backup is in \S+app\.secret; start with APP_SECRET_FILE=/)
    const path = join(DATA_DIR, 'app.secret')
    assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], [`${testSecret}\n`, 0o600])
    const [, kept = ''] = /The secret that was there is in (\S+)\.\n/.exec(stdout) ?? []
    assert.equal(readFileSync(kept, 'utf8'), 'the secret of a start before\n')
  },
)
