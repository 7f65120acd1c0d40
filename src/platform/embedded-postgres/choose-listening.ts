import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, rmdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ids, passesThrough } from './account.ts'
import type { Home } from './home.ts'
import type { Listening } from './settings.ts'

/** sockaddr_un holds 107 bytes on Linux and 103 on macOS. */
const socketPathMaxBytes = 103

/**
 * Returns a folder that only the database's user and root may enter. It is in the system's temporary folder if our path
 * is too long or not accessible to that user.
 */
export async function chooseListening(home: Home): Promise<Listening> {
  if (!home.account) return { port: await freePort() }
  const socketFolder = socketFolderInside(home) ?? (await temporaryFolder(home))
  await makeClosedFolder(socketFolder, home)
  return { socketFolder }
}

/**
 * Removes the folder in the system's temporary folder once the server has stopped. A folder that is not empty stays.
 */
export async function removeSocketFolder(home: Home): Promise<void> {
  if (home.account && socketFolderInside(home) === null) await rmdir(await temporaryFolder(home)).catch(() => {})
}

/** Null if the server or its clients could not use it. */
function socketFolderInside(home: Home): string | null {
  const inside = join(home.folder, 'socket')
  const short = !home.isClosed && Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= socketPathMaxBytes
  // The setting is a list, and these characters would separate or quote its items.
  return short && !/[,"\\\n]/.test(inside) ? inside : null
}

async function temporaryFolder(home: Home): Promise<string> {
  const root = tmpdir()
  const name = `posthorn-${createHash('sha256').update(home.folder).digest('hex').slice(0, 16)}`
  const usable = (await passesThrough(home.account, root)) && Buffer.byteLength(root) < 60
  return join(usable ? root : '/tmp', name)
}

/** Makes a folder that the account owns, mode 700. Refuses one that another user put there first. */
export async function makeClosedFolder(folder: string, home: Home): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!home.account) return
  const [uid, gid] = ids(home.account)
  const found = await lstat(folder)
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.())) {
    throw new Error(`${folder} is not a folder of the database's user: remove it.`)
  }
  await chown(folder, uid, gid)
  await chmod(folder, 0o700)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
