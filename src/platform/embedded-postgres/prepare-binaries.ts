import { constants } from 'node:fs'
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { reaches } from './account.ts'
import type { Home } from './home.ts'

/** A link to a library, both paths relative to the package. npm packages cannot contain links, so they list them. */
type Link = { source: string; target: string }

/**
 * The folder of copied programs if the database's user cannot enter a folder above DATA_DIR. It is not part of an
 * installation.
 */
const elsewhere = '/var/lib/posthorn/programs'

/**
 * Returns the folder of programs of an npm platform package, ready to run. Library links are made if install scripts
 * were off. The programs are copied (about 60 MB, 0.1 s, once for each version) if the database's user cannot read the
 * package, or if we cannot write the links into it.
 */
export async function prepareBinaries(packageFolder: string, home: Home): Promise<string> {
  const links = await readLinks(packageFolder)
  if ((await isReadable(packageFolder, home)) && (await makeLinks(packageFolder, links))) return bin(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copies = home.isClosed ? elsewhere : join(home.folder, 'binaries')
  const copy = join(copies, version)
  if (!(await lstat(copy).catch(() => null))) {
    // Removes copies of an older version. Another installation may use copies in other folders.
    if (!home.isClosed) await rm(copies, { recursive: true, force: true })
    await copyPackage(packageFolder, copies, copy, links)
  }
  return bin(copy)
}

function bin(packageFolder: string): string {
  return join(packageFolder, 'native', 'bin')
}

async function readLinks(packageFolder: string): Promise<Link[]> {
  const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return JSON.parse(text) as Link[]
}

async function isReadable(packageFolder: string, home: Home): Promise<boolean> {
  const samples = ['bin/postgres', 'lib', 'share/postgresql/postgres.bki', 'share/postgres.bki']
  for (const sample of samples) {
    const path = join(packageFolder, 'native', sample)
    if ((await lstat(path).catch(() => null)) && !(await reaches(home.account, path))) return false
  }
  return true
}

/** Makes missing links. False if one cannot be made, as in a folder that is read-only or another user's. */
async function makeLinks(packageFolder: string, links: Link[]): Promise<boolean> {
  for (const { source, target } of links) {
    const path = join(packageFolder, target)
    if (await lstat(path).catch(() => null)) continue
    const made = await symlink(relative(dirname(target), source), path).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!made) return false
  }
  return true
}

/**
 * Copies the package under another name and renames it, so that an interrupted copy is never used. If two processes
 * copy at once, the second one keeps the first one's copy.
 */
async function copyPackage(from: string, copies: string, copy: string, links: Link[]): Promise<void> {
  const unfinished = `${copy}.unfinished-${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  // A running server does not use static libraries.
  const filter = (path: string) => !path.endsWith('.a')
  await cp(join(from, 'native'), join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter,
  })
  await makeLinks(unfinished, links)
  await openToAll(unfinished)
  await chmod(copies, 0o755)
  if (copies === elsewhere) await chmod(dirname(elsewhere), 0o755)
  await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(unfinished, { recursive: true, force: true })
  })
}

/** Makes a folder readable for all, because the umask of the user who installed may have been 077. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}
