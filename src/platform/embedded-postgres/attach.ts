import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { ConfigError } from '../environment/read.ts'
import type { Connection } from './connection.ts'
import { createDatabase } from './create-database.ts'
import type { Home } from './home.ts'
import { isAlive } from './is-alive.ts'
import { passwordFile, readPassword } from './password.ts'

/**
 * A connection that each process keeps while it uses the server. Other processes see by it that the server is in use,
 * even if this process is killed, and this process sees when the server ends.
 */
export type Attachment = { client: pg.Client; connection: Connection }

export const attachmentName = 'posthorn attachment'

/** `none`: no server runs. `busy`: one is starting, recovering or stopping. */
type Attaching = Attachment | 'none' | 'busy'

/**
 * Connects to the server that the cluster's postmaster.pid names. Creates the role and the database if they are
 * missing.
 */
export async function attach(home: Home): Promise<Attaching> {
  const found = await readPidFile(home)
  if (!found) return 'none'
  // The server may run in another container, which shares the folder and no process ids. Only a socket in this folder
  // is certain to be that of no other server.
  if (!isAlive(found.pid) && dirname(found.address.host) !== home.folder) return 'none'
  const password = await readPassword(home)
  const connection = { ...found.address, user: 'posthorn', database: 'posthorn', ...(password && { password }) }
  const first = await connect(connection)
  if (first !== 'missing') return first
  await createDatabase(connection).catch((error: { code?: string; message?: string }) => {
    throw isWrongPassword(error) ? new WrongPassword(passwordFile(home), found.pid) : error
  })
  const second = await connect(connection)
  return second === 'missing' ? 'busy' : second
}

/** The password file is missing or has another password than the running server. */
export class WrongPassword extends ConfigError {
  /** The same once the server does not run. */
  readonly afterStop: ConfigError

  constructor(file: string, pid: number) {
    const must = `${file} must hold the password of the database beside it. Restore the file, or `
    super(`${must}stop the database (kill -INT ${pid}) and delete the file: the next start makes a new one.`)
    this.afterStop = new ConfigError(`${must}delete it: the next start makes a new one.`)
  }
}

/** The driver has no code for a password that is missing. */
function isWrongPassword({ code, message = '' }: { code?: string; message?: string }): boolean {
  return code === '28P01' || /client password must be a/.test(message)
}

export function pidFile(home: Home): string {
  return join(home.cluster, 'postmaster.pid')
}

type PidFile = { pid: number; address: { host: string; port: number } }

/**
 * Null if there is none, or if it is incomplete. Lines: pid, folder, start, port, socket folder, address, memory,
 * status.
 */
export async function readPidFile(home: Home): Promise<PidFile | null> {
  const lines = (await readFile(pidFile(home), 'utf8').catch(() => '')).split('\n')
  const [pid, port, socketFolder, address] = [Number(lines[0]), Number(lines[3]), lines[4], lines[5]]
  const host = socketFolder || address
  return pid > 0 && port > 0 && host ? { pid, address: { host, port } } : null
}

async function connect(connection: Connection): Promise<Attaching | 'missing'> {
  const client = new pg.Client({
    ...connection,
    application_name: attachmentName,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  // Only the end of the connection matters, and it has a listener once attached.
  client.on('error', () => {})
  try {
    await client.connect()
    return { client, connection }
  } catch (error) {
    await client.end().catch(() => {})
    return outcome(error as { code?: string })
  }
}

/** Codes 3D000, 28000 and 28P01: the first start ended before it had created the role and the database. */
function outcome(error: { code?: string; message?: string }): 'none' | 'busy' | 'missing' {
  const { code = '', message = '' } = error
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'none'
  if (code === '3D000' || code === '28000' || isWrongPassword(error)) return 'missing'
  if (/^(57P0[1-3]|ECONNRESET|EPIPE)$/.test(code) || /terminated|timeout/i.test(message)) return 'busy'
  throw error
}
