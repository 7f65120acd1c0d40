import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The first has no windows to draw, which takes half the processor time. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Starts the Chromium of this machine, or the program that CHROMIUM names, without a window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? usualPlaces.find((place) => existsSync(place))
  if (!executablePath) {
    throw new Error(
      'There is no Chromium. Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.',
    )
  }
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] })
}
