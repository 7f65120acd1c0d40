import type pg from 'pg'
import { concurrentMark } from './build-indexes.ts'
import { createMigrations } from './create-table.ts'
import type { Migration } from './files.ts'

/**
 * Runs migrations on a database that is being restored, inside the caller's transaction. Builds indexes without
 * `concurrently`, which no transaction allows: no other session uses the tables.
 */
export async function migrateInside(client: pg.ClientBase, migrations: Migration[]): Promise<void> {
  await createMigrations(client)
  for (const { name, hash, text } of migrations) {
    const isConcurrent = text.startsWith(concurrentMark)
    try {
      await client.query(isConcurrent ? text.replace(/\bindex concurrently\b/gi, 'index') : text)
      await client.query('insert into migrations (name, hash, run_at) values ($1, $2, now())', [name, hash])
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}
