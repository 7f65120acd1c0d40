import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../environment/read.ts'
import { type Account, chooseAccount, passesThrough } from './account.ts'
import type { Log } from './start.ts'

/** Where one installation's database lives, and as whom. All paths are absolute. */
export type Home = {
  folder: string
  /** PostgreSQL's own data folder. */
  cluster: string
  account: Account | null
}

/** Where databases go whose DATA_DIR is closed to the user they run as. */
const elsewhereRoot = '/var/lib/posthorn'

/**
 * `DATA_DIR/postgres`, unless the database must run as another user who cannot get there (a DATA_DIR in root's home, say):
 * then a folder under /var/lib/posthorn, which `DATA_DIR/postgres/location` names from then on, so that it is found
 * again, moves along with DATA_DIR, and is not mistaken for the data of a DATA_DIR that was deleted and begun anew.
 */
export async function chooseHome(dataDir: string, log: Log): Promise<Home> {
  const inside = join(dataDir, 'postgres')
  await makeFolder(inside)
  const location = join(inside, 'location')
  const named = (await readFile(location, 'utf8').catch(() => '')).trim()
  if (named) return at(named)
  const home = await at(inside)
  if (await isThere(home.cluster)) return home
  if (await passesThrough(home.account, inside)) return home
  const elsewhere = await freeFolder(dataDir)
  await writeFile(location, `${elsewhere}\n`, { mode: 0o600 })
  log.warn(
    { folder: elsewhere, dataDir },
    `The database runs as an unprivileged user who cannot reach ${dataDir}; its data is in ${elsewhere} instead. Back up both.`,
  )
  return at(elsewhere)
}

async function at(folder: string): Promise<Home> {
  const cluster = join(folder, 'cluster')
  return { folder, cluster, account: await chooseAccount(cluster) }
}

/** Folders we make are open to pass through for the database's user; what is inside guards itself by its own mode. */
async function makeFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  const made = await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR must be a folder this user may write to: ${error.message}`)
  })
  if (made) await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
}

async function freeFolder(dataDir: string): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  for (let turn = 1; turn <= 1000; turn++) {
    const folder = join(elsewhereRoot, turn === 1 ? name : `${name}-${turn}`)
    if (await isThere(folder)) continue
    await makeFolder(folder)
    return folder
  }
  throw new Error(`${elsewhereRoot} holds a thousand databases of ${dataDir}: delete the old ones.`)
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
