import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Attachment, attachmentName } from './attach.ts'
import { removeSocketFolder } from './choose-listening.ts'
import type { Binaries } from './find-binaries.ts'
import { findHolder } from './holder.ts'
import type { Home } from './home.ts'
import { startingIn } from './paths.ts'

/** Tells whether another process is attached to the server. */
export async function isUsedByOthers({ client }: Attachment): Promise<boolean> {
  const { rows } = await client.query(
    'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid() limit 1',
    [attachmentName],
  )
  return rows.length > 0
}

/** Stops the server and disconnects its clients; commits are on disk. Returns false if the server does not stop. */
export async function stopServer(home: Home, binaries: Binaries): Promise<boolean> {
  const stopped = (await pgCtlStop(home, binaries, 'fast', 10)) || (await pgCtlStop(home, binaries, 'immediate', 5))
  if (stopped) await removeSocketFolder(home)
  return stopped
}

/**
 * Runs pg_ctl as the database's user, so that root never signals a wrong process by the cluster's pid. It has a session
 * of its own, because a second Ctrl-C in the terminal would end it.
 */
async function pgCtlStop(home: Home, binaries: Binaries, mode: string, waitSeconds: number): Promise<boolean> {
  const holder = await findHolder(home)
  // pg_ctl signals whatever process has the pid, such as another installation's server.
  if (holder?.is === 'gone' || holder?.is === 'stranger') return true
  const { cluster, options } = startingIn(home)
  const args = ['stop', '-D', cluster, '-m', mode, '-w', '-t', String(waitSeconds)]
  const child = spawn(binaries.pgCtl, args, { ...options, stdio: 'ignore', detached: true, windowsHide: true })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
