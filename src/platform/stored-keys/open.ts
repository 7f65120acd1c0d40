import { sql } from 'kysely'
import type pg from 'pg'
import { ConfigError } from '../environment/read.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import type { SealedColumn } from '../sealed/column.ts'
import type { Connections } from '../sql/db.ts'

const sealPurpose = 'stored-key'

export const storedKeyColumns: SealedColumn[] = [
  { table: 'stored_keys', column: 'key', purpose: sealPurpose, isCheckValue: true },
]

/**
 * Values that are signed for these purposes are found by their stored hash: links in mail that was sent long ago,
 * recovery codes, and addresses of erased persons. Such a hash cannot be computed with another key, so the key itself
 * is stored, encrypted.
 */
const purposes = ['unsubscribe', 'recovery-code', 'erased']

type Given = {
  /** The newest first. */
  secrets: readonly string[]
  columns: readonly SealedColumn[]
  newId(): string
  now: Date
}

/** Opens the keyring of an installation. Throws `ConfigError` if its data was encrypted with other secrets. */
export async function openKeyring(connections: Pick<Connections, 'db'>, given: Given): Promise<Keyring> {
  const keyring = createKeyring(given.secrets)
  const known = await findStoredKeys(connections)
  if (known.length < purposes.length) await insertMissing(connections, keyring, given)
  const rows = known.length < purposes.length ? await findStoredKeys(connections) : known
  try {
    const keys = rows.map(({ id, name, key }) => {
      return [name, Buffer.from(keyring.decrypt(sealPurpose, key, id), 'base64url')] as const
    })
    return createKeyring(given.secrets, new Map(keys))
  } catch {
    throw wrongSecret()
  }
}

/** Throws `ConfigError` if the keys that a database keeps were encrypted with other secrets. Reads only. */
export async function refuseOtherSecrets(client: pg.ClientBase, secrets: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ id: string; key: string }>(
    'select id, key from stored_keys where name = any($1)',
    [purposes],
  )
  if (rows.length === 0) return
  if (secrets.length === 0) throw wrongSecret()
  const ring = createKeyring(secrets)
  if (!rows.every(({ id, key }) => opens(ring, { purpose: sealPurpose, id, sealed: key }))) throw wrongSecret()
}

function findStoredKeys({ db }: Pick<Connections, 'db'>) {
  return db.selectFrom('stored_keys').select(['id', 'name', 'key']).where('name', 'in', purposes).execute()
}

/** Inserts missing keys. Processes that start together compute the same keys, and the first insert stays. */
async function insertMissing(connections: Pick<Connections, 'db'>, keyring: Keyring, given: Given): Promise<void> {
  const ring = await ringInUse(connections, keyring, given.columns)
  const rows = purposes.map((name) => {
    const id = given.newId()
    const text = ring.key(`sign:${name}`).export().toString('base64url')
    return { id, name, key: ring.encrypt(sealPurpose, text, id), created_at: given.now }
  })
  await connections.db
    .insertInto('stored_keys')
    .values(rows)
    .onConflict((existing) => existing.column('name').doNothing())
    .execute()
}

/** Returns the keyring of the secret that encrypted the data, or of the oldest secret if there is no data yet. */
async function ringInUse(
  connections: Pick<Connections, 'db'>,
  keyring: Keyring,
  columns: readonly SealedColumn[],
): Promise<Keyring> {
  const rings = [...keyring.previous].reverse().concat(keyring)
  const values = await findSamples(connections, columns)
  if (values.length === 0) return rings[0]!
  const found = rings.find((ring) => values.some((value) => opens(ring, value)))
  if (!found) throw wrongSecret()
  return found
}

type Sample = { purpose: string; id: string; sealed: string }

async function findSamples({ db }: Pick<Connections, 'db'>, columns: readonly SealedColumn[]): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const { table, column, purpose } of columns) {
    const { rows } = await sql<Omit<Sample, 'purpose'>>`
      select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by id limit 1
    `.execute(db)
    samples.push(...rows.map((row) => ({ ...row, purpose })))
  }
  return samples
}

function opens(ring: Keyring, { purpose, id, sealed }: Sample): boolean {
  try {
    ring.decrypt(purpose, sealed, id)
    return true
  } catch {
    return false
  }
}

function wrongSecret(): ConfigError {
  return new ConfigError(
    'APP_SECRET must be the secret this database was last used with, or APP_SECRET_PREVIOUS must name that one: what is encrypted in the database cannot be read.',
  )
}
