import { stat } from 'node:fs/promises'
import { readPidFile } from './attach.ts'
import type { Home } from './home.ts'
import { inspectProcess, isAlive } from './is-alive.ts'

/**
 * The process that the cluster's postmaster.pid names: our `server`, none any more (`gone`), or a `stranger` that got
 * the pid of a killed server, perhaps of another installation. `unknown` where the system does not say.
 */
type Holder = { pid: number; is: 'server' | 'gone' | 'stranger' | 'unknown' }

/** Null without a file. */
export async function findHolder(home: Home): Promise<Holder | null> {
  const found = await readPidFile(home)
  if (!found) return null
  const { pid } = found
  const process = inspectProcess(pid)
  if (!process) return { pid, is: isAlive(pid) ? 'unknown' : 'gone' }
  // A process that was never reaped still counts for PostgreSQL, which asks only whether there is one.
  if (process.name !== 'postgres' || process.state === 'Z') return { pid, is: 'stranger' }
  const isOurs = await worksIn(pid, home.cluster)
  return { pid, is: isOurs === null ? 'unknown' : isOurs ? 'server' : 'stranger' }
}

/** PostgreSQL works in its data folder. Null if we may not look. */
async function worksIn(pid: number, cluster: string): Promise<boolean | null> {
  const stats = [stat(`/proc/${pid}/cwd`), stat(cluster)]
  const [one, other] = await Promise.all(stats).catch(() => [])
  return one && other ? one.dev === other.dev && one.ino === other.ino : null
}
