import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

export const ownMigrations = new URL('../../../migrations/', import.meta.url)

/** A file of `migrations/`. `hash` is the SHA-256 of its text, in hexadecimal digits. */
export type Migration = { name: string; hash: string; text: string }

/** Returns the migrations of a folder in the order of their numbers. */
export async function readMigrations(folder = ownMigrations): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, hash: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

/** The migrations that ran in a database, by their names. Empty if it was never migrated. Reads only. */
export async function findDone(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query("select to_regclass('migrations') is not null as exists")
  if (!rows[0].exists) return new Map()
  const done = await client.query<{ name: string; hash: string }>('select name, hash from migrations order by name')
  return new Map(done.rows.map(({ name, hash }) => [name, hash]))
}

/** Returns the migrations that have not run. Throws if one that ran is unknown here, or was changed since. */
export function pendingOf(migrations: Migration[], done: Map<string, string>): Migration[] {
  const unknown = [...done.keys()].find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new Error(`The database has migration ${unknown}, which this version does not know: run a newer version.`)
  const changed = migrations.find(({ name, hash }) => done.has(name) && done.get(name) !== hash)
  if (changed) throw new Error(`Migration ${changed.name} was changed after it had run here.`)
  return migrations.filter(({ name }) => !done.has(name))
}
