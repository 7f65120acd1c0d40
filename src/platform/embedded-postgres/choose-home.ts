import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../environment/read.ts'
import { bringBack, isThere } from './bring-back.ts'
import { type Home, homeIn } from './home.ts'
import type { Log } from './log.ts'

/** Returns `DATA_DIR/postgres`. Throws `ConfigError` if the database's user cannot work there. */
export async function chooseHome(dataDir: string, log: Log): Promise<Home> {
  const folder = join(dataDir, 'postgres')
  await makeFolder(folder)
  await bringBack(folder, log)
  const home = await homeIn(folder)
  if (home.isClosed && process.platform !== 'linux') refuseClosed(home, dataDir)
  return home
}

function refuseClosed({ account }: Home, dataDir: string): never {
  throw new ConfigError(
    `DATA_DIR must be a folder that user ${account?.uid} can reach, because PostgreSQL does not run as root: start Posthorn as an ordinary user, or choose another DATA_DIR than ${dataDir}.`,
  )
}

/** Makes a folder that the database's user may pass through. Its content has stricter modes. */
async function makeFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  const made = await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR must be a folder this user may write to: ${error.message}`)
  })
  if (made) await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
}
