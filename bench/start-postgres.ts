import pg from 'pg'
import type { Connection } from '../src/platform/embedded-postgres/connection.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'

export const quiet = { info: () => undefined, warn: () => undefined }

export type ReferenceServer = { connection: Connection; pool: pg.Pool; stop(): Promise<void> }

/** Starts the database of a reference: the same binaries and settings as ours, in another cluster. */
export async function startPostgres(dataDir: string, connectionsMax: number): Promise<ReferenceServer> {
  const server = await startEmbeddedPostgres({ dataDir, log: quiet })
  const connection = server.connection()
  const pool = new pg.Pool({ ...connection, max: connectionsMax })
  pool.on('error', () => undefined)
  return {
    connection,
    pool,
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}
