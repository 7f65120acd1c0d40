import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

/** The first has no windows to draw, which takes half the processor time. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

let shared: Promise<Browser> | undefined

/** Returns the Chromium that the files of a process share; a file that Node runs directly closes it after its tests. */
export function sharedChromium(): Promise<Browser> {
  if (shared) return shared
  shared = launchChromium()
  if (process.env.TEST_SHARES_CHROMIUM !== 'yes') after(closeSharedChromium)
  return shared
}

export async function closeSharedChromium(): Promise<void> {
  await (await shared)?.close()
}

/** Returns the program that CHROMIUM names, or the Chromium of this machine. */
export function findChromium(): string {
  const found = [process.env.CHROMIUM ?? usualPlaces].flat().find((place) => existsSync(place))
  if (found) return found
  throw new Error(
    'There is no Chromium. Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.',
  )
}

/** Lets the pages of a context share a process, which keeps the compiled scripts of the dashboard and of axe. */
const sharedProcess = '--process-per-site'

/** Starts Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet, sharedProcess] })
}
