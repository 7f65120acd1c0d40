import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder } from './sources.ts'

const program = fileURLToPath(new URL('child.ts', import.meta.url))
/** A build takes one second; this is for a machine that is very busy. */
const buildMaxMs = 120_000
const reportMaxChars = 20_000
/** The newest builds that are kept, for other branches and for processes that start now. */
const buildsKept = 5

/** `isTemporary` if nothing may be written beside the sources: the caller removes the folder once it has read it. */
type Build = { folder: string; isTemporary: boolean }

/** A failed build, with the words of the bundler. */
export class BuildError extends Error {}

/**
 * Builds the dashboard in a process of its own, which ends with `stop`, and returns the folder of its files. Throws
 * `BuildError`.
 */
export async function buildDashboard(hash: string, stop: AbortSignal): Promise<Build> {
  const unfinished = (await makeBeside()) ?? (await mkdtemp(join(tmpdir(), 'posthorn-dashboard-')))
  try {
    await runChild(unfinished, stop)
    // `mkdtemp` makes it for this user only; in an image another one reads it.
    await chmod(unfinished, 0o755)
    if (!unfinished.startsWith(buildFolder)) return { folder: unfinished, isTemporary: true }
    const folder = await moveInto(join(buildFolder, hash), unfinished)
    await removeOld()
    return { folder, isTemporary: false }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Returns a new folder beside the finished builds; null if nothing may be written there. */
async function makeBeside(): Promise<string | null> {
  try {
    await mkdir(buildFolder, { recursive: true })
    return await mkdtemp(join(buildFolder, 'unfinished-'))
  } catch {
    return null
  }
}

function runChild(folder: string, stop: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: buildMaxMs,
    signal: stop,
    windowsHide: true,
  })
  let report = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    report = (report + text).slice(0, reportMaxChars)
  })
  child.once('error', (error) => reject(new BuildError(error.message)))
  child.once('close', (code, signal) => {
    if (code === 0) resolve()
    else reject(new BuildError(report.trim() || `The process ended with ${signal ?? code}.`))
  })
  return promise
}

/** Gives a finished build its name. If another process has built the same meanwhile, its build is taken. */
async function moveInto(folder: string, unfinished: string): Promise<string> {
  try {
    await rename(unfinished, folder)
  } catch (error) {
    const isThere = await stat(folder).catch(() => null)
    if (!isThere) throw error
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** Removes all but the newest builds, and what builds that were killed have left. */
async function removeOld(): Promise<void> {
  const all = await Promise.all(
    (await readdir(buildFolder)).map(async (name) => {
      const path = join(buildFolder, name)
      return { path, isBuild: /^[0-9a-f]{32}$/.test(name), mtimeMs: (await stat(path).catch(() => null))?.mtimeMs ?? 0 }
    }),
  )
  const newestFirst = all.sort((a, b) => b.mtimeMs - a.mtimeMs)
  const newestMs = newestFirst[0]?.mtimeMs ?? 0
  const builds = newestFirst.filter(({ isBuild }) => isBuild).slice(buildsKept)
  const left = all.filter(({ isBuild, mtimeMs }) => !isBuild && newestMs - mtimeMs > buildMaxMs)
  await Promise.all([...builds, ...left].map(({ path }) => rm(path, { recursive: true, force: true })))
}
