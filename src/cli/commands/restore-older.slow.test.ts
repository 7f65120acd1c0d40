import assert from 'node:assert/strict'
import { onServer } from '../../../test/database.ts'
import { slowTest } from '../../../test/slow.ts'
import { readMigrations } from '../../platform/migrate/files.ts'
import { migrateInside } from '../../platform/migrate/run-inside.ts'
import { createCommandLine } from '../fixtures/command-line.ts'
import { appOn, emptyDatabase } from '../fixtures/restored.ts'

const { folder, runWith } = await createCommandLine()

/** The last migration of 0.3.0. */
const last = '0063_used_refresh_tokens.sql'

slowTest('a backup of a database of 0.3.0 is restored as one of this version', async () => {
  const older = await emptyDatabase()
  const migrations = await readMigrations()
  const ofThen = migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
  assert.ok(ofThen.length > 10)
  await onServer(older.config, async (client) => {
    await client.query('begin')
    await migrateInside(client, ofThen)
    await client.query(
      `insert into teams (id, name, plan, created_at) values ('01890a5d-ac96-774b-bcce-b302099a8057', 'Shop', 'free', now());
       insert into contacts (id, team_id, email, email_key, unsubscribe_seed, unsubscribe_hash, created_at, updated_at)
         values ('01890a5d-ac96-774b-bcce-b302099a8058', '01890a5d-ac96-774b-bcce-b302099a8057', 'ada@people.test', 'ada@people.test', 'seed', 'hash', now(), now());
       commit`,
    )
  })
  const file = `${folder}/older.backup`
  const backup = await runWith(older.environment, 'backup', file)
  assert.equal(backup.code, 0, backup.stderr)
  const listed = await runWith(older.environment, 'team', 'list')
  assert.match(listed.stderr, /^The database was brought to this version first.* ran 0064_/)
  assert.match(listed.stdout, /\tShop\n/)
  const target = await emptyDatabase()
  const restored = await runWith(target.environment, 'restore', file)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /, all exact\n$/)
  assert.match((await runWith(target.environment, 'migrate', '--check')).stdout, /^The database is up to date/)
  const { app } = await appOn(target.config)
  assert.deepEqual(await app.db.selectFrom('contacts').select('email').execute(), [{ email: 'ada@people.test' }])
})
