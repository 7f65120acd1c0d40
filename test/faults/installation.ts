import { rmSync } from 'node:fs'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataFolder } from '../data-folder.ts'
import { patienceMs } from '../patience.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { startSink } from '../smtp-sink.ts'

/**
 * How long a dead process keeps its work, in the servers of these tests. The default of 30 s would only lengthen them.
 */
export const leaseMs = 8000

export type Email = { id: string; status: string }

/** Installs Posthorn on a new data folder, sending to a real SMTP server. All is removed after the file's tests. */
export async function createWorkshop() {
  const sink = await startSink()
  const folders: string[] = []
  const servers: ServerProcess[] = []
  after(async () => {
    for (const server of servers) await server.stop().catch(() => undefined)
    await sink.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /**
   * The key is the quickstart's; `start` starts a server on the same data again. Unless `environment` says otherwise,
   * it relays to the sink, and takes over the work of a dead process after `leaseMs`.
   */
  async function install(environment: Record<string, string> = {}) {
    const dataDir = makeDataFolder('fault')
    folders.push(dataDir)
    const start = async () => {
      const server = await startServer({
        DATA_DIR: dataDir,
        EMAIL_PROVIDER: 'smtp',
        SMTP_RELAY_URL: sink.url,
        JOB_LEASE: `${leaseMs}ms`,
        ...environment,
      })
      servers.push(server)
      return server
    }
    const first = await start()
    const key = /ph_[A-Za-z0-9]{32,}/.exec(first.output())![0]
    return { first, start, key, dataDir }
  }

  /** Returns how often the sink received the email. */
  const received = (id: string) => sink.messages.filter(({ messageId }) => messageId === `<${id}@sandbox.test>`).length
  return { sink, install, received }
}

export async function call(
  server: ServerProcess,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as never }
}

export function email(subject: string, change: Record<string, unknown> = {}) {
  return { from: 'Kill <kill@sandbox.test>', to: ['ada@example.com'], subject, text: subject, ...change }
}

/**
 * Polls until `look` finds something, since real processes have no manual clock. `maxMs` is for promises about time.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  maxMs = patienceMs,
): Promise<T> {
  for (const end = Date.now() + maxMs; Date.now() < end; await sleep(50)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`not within the time: ${what}`)
}
