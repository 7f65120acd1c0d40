import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import type { Connection } from '../src/platform/embedded-postgres/connection.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { quiet } from './start-postgres.ts'
import { liftLimits, type Posthorn, startPosthorn } from './start-posthorn.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

export type Parts = {
  posthorn: Posthorn
  /** The id of the sandbox team, which has no limits. */
  teamId: string
  /** The server's database. */
  database: pg.Pool
  connection: Connection
  http: Pool
  folder: string
}

/**
 * Runs `work` with our server on new data, with `connections` to it and at most 20 to its database. `prepare` may make
 * the database cluster before the server starts.
 */
export function withPosthorn<T>(
  environment: Record<string, string>,
  connections: number,
  work: (parts: Parts) => Promise<T>,
  prepare?: (dataDir: string) => Promise<void>,
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const dataDir = join(folder, 'ours')
    await prepare?.(dataDir)
    const posthorn = await startPosthorn(dataDir, environment)
    // Adopts the running server.
    const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
    const connection = embedded.connection()
    // The embedded database has 50 connections, of which the server takes 14.
    const database = new pg.Pool({ ...connection, max: Math.min(connections, 20) })
    const http = new Pool(posthorn.url, { connections, pipelining: 1 })
    try {
      const teamId = await liftLimits(posthorn)
      return await work({ posthorn, teamId, database, connection, http, folder })
    } finally {
      await http.close()
      await database.end()
      await embedded.stop()
      await posthorn.stop()
    }
  })
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Resolves with the API's answer and throws if it is no success. `content` is an object, or JSON as text. */
export async function callApi<Answer>(
  { http, posthorn }: Pick<Parts, 'http' | 'posthorn'>,
  method: Method,
  path: string,
  content?: object | string,
): Promise<Answer> {
  const body = typeof content === 'object' ? JSON.stringify(content) : (content ?? null)
  const authorization = `Bearer ${posthorn.key}`
  const headers = body === null ? { authorization } : { authorization, 'content-type': 'application/json' }
  const response = await http.request({ method, path, headers, body })
  const answer = await response.body.text()
  if (response.statusCode >= 300)
    throw new Error(`${method} ${path} was answered with ${response.statusCode}: ${answer.slice(0, 200)}`)
  return JSON.parse(answer) as Answer
}
