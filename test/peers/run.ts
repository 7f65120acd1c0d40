import { execFileSync, spawn } from 'node:child_process'
import { fetchExim } from './exim.ts'
import { fetchHaraka } from './haraka.ts'
import { fetchOpenSmtpd } from './opensmtpd.ts'
import { unpackDebian } from './programs.ts'
import { fetchSendmail } from './sendmail.ts'

/**
 * `npm run test:peers`: sends to real mail servers on loopback, and lets them return reports. Names as arguments: only
 * these, which must be there. Without names, a server that this machine cannot get or start is left out and named.
 */
const peers: Record<string, () => Promise<unknown>> = {
  postfix: async () => {
    needRoot()
    await unpackDebian('postfix')
  },
  exim: () => inRoot(fetchExim),
  opensmtpd: () => inRoot(fetchOpenSmtpd),
  sendmail: () => inRoot(fetchSendmail),
  haraka: fetchHaraka,
}

/** The processes of these servers change to ordinary users. */
function needRoot(): void {
  if (process.getuid?.() !== 0) throw new Error('it can be started by root only')
}

/** Fetches a server that runs in a mount namespace, unless this machine makes none. */
async function inRoot(fetch: () => Promise<unknown>): Promise<void> {
  needRoot()
  execFileSync('unshare', ['--mount', 'true'], { stdio: 'pipe' })
  await fetch()
}

const named = process.argv.slice(2)
const unknown = named.filter((name) => !(name in peers))
if (unknown.length > 0) {
  console.error(
    `There is no peer ${unknown.join(', ')}. Usage: npm run test:peers [-- ${Object.keys(peers).join(' | ')}]`,
  )
  process.exit(2)
}

const files: string[] = []
for (const name of named.length > 0 ? named : Object.keys(peers)) {
  try {
    await peers[name]!()
    files.push(`test/peers/${name}.test.ts`)
  } catch (error) {
    console.error(`${name} is left out: ${(error as Error).message}`)
    if (named.length > 0) process.exitCode = 1
  }
}
if (files.length > 0) {
  const child = spawn(process.execPath, ['test/run.ts', ...files], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 1
  })
}
