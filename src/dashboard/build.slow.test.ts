import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { createTestApp as CreateTestApp, TestApp } from '../../test/app.ts'

/** A copy of the repository, with a dashboard of one script, whose sources the tests may change. */
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'posthorn-build-')))
const root = fileURLToPath(new URL('../../', import.meta.url))
for (const name of ['src', 'test', 'bin', 'cli', 'sdk', 'migrations', 'package.json', 'package-lock.json']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
const sources = join(copy, 'dashboard', 'src')
const dist = join(copy, 'dashboard', 'dist')
mkdirSync(sources, { recursive: true })
writeFileSync(join(sources, 'worker.ts'), 'export {}')
const { createTestApp } = (await import(pathToFileURL(join(copy, 'test', 'app.ts')).href)) as {
  createTestApp: typeof CreateTestApp
}
const inProduction = {
  NODE_ENV: 'production',
  APP_SECRET: '8f0c4e1d7ab2395f6e8d1c0b7a495836',
  PAYMENTS_PROVIDER: 'none',
}
let versions = 0

beforeEach(() => {
  rmSync(dist, { recursive: true, force: true })
  write(`document.title = 'version ${++versions}'`)
})
after(() => rmSync(copy, { recursive: true, force: true }))

/** Writes the sources. Each text has another length, since a build compares sizes and times. */
function write(script: string) {
  writeFileSync(join(sources, 'main.tsx'), `${script}${'\n'.repeat(++versions)}`)
}

const open = (environment: Record<string, string> = {}) => createTestApp({ DASHBOARD: 'on', ...environment })
const scriptOf = (text: string) => /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)

async function load({ anyone }: TestApp) {
  const { status, text } = await anyone.get('/app')
  assert.equal(status, 200, text)
  return scriptOf(text)
}

test('a build that fails is told at /app with its words, everything else works, and a mended source is built', async () => {
  write('export const = <')
  const posthorn = await open()
  const failed = await posthorn.anyone.get('/app')
  assert.equal(failed.status, 503)
  assert.match(failed.text, /<h1>The dashboard could not be built<\/h1>[\s\S]*main\.tsx/)
  assert.equal((await posthorn.anyone.get('/health')).status, 200)
  assert.equal((await posthorn.anyone.get('/app/assets/0123456789abcdef.js')).status, 503)
  write("document.title = 'mended'")
  await load(posthorn)
})

test('in production a failed build says nothing of the sources, and is repeated after ten seconds', async () => {
  write('export const = <')
  const posthorn = await open(inProduction)
  const failed = await posthorn.anyone.get('/app')
  assert.equal(failed.status, 503)
  assert.match(failed.text, /The log says why/)
  assert.doesNotMatch(failed.text, /main\.tsx/)
  write("document.title = 'mended'")
  posthorn.clock.advance(9_000)
  assert.equal((await posthorn.anyone.get('/app')).status, 503)
  posthorn.clock.advance(1_000)
  await load(posthorn)
})

test('an edit is built with the next load of the page, and the script of an open page stays', async () => {
  const posthorn = await open()
  const before = await load(posthorn)
  assert.equal(await load(posthorn), before)
  write("document.title = 'edited'")
  const edited = await load(posthorn)
  assert.notEqual(edited, before)
  assert.match((await posthorn.anyone.get(edited)).text, /edited/)
  assert.equal((await posthorn.anyone.get(before)).status, 200)
})

test('production does not look at the sources again', async () => {
  const posthorn = await open(inProduction)
  const before = await load(posthorn)
  write("document.title = 'edited'")
  posthorn.clock.advance(3_600_000)
  assert.equal(await load(posthorn), before)
})

test('two builds that race end alike, and leave one folder', async () => {
  const [one, other] = await Promise.all([open(), open()])
  const [first, second] = await Promise.all([load(one), load(other)])
  assert.equal(first, second)
  assert.deepEqual(
    readdirSync(dist).filter((name) => !/^[0-9a-f]{32}$/.test(name)),
    [],
  )
  assert.equal(readdirSync(dist).length, 1)
  assert.equal(await load(await open()), first, 'a later start serves it')
})

test('where nothing may be written beside the sources, the dashboard is served, and nothing is left in the temporary folder', async () => {
  // A file in the place of the folder, because root may write into any folder.
  writeFileSync(dist, '')
  const { TMPDIR } = process.env
  const temporary = join(copy, 'temporary')
  mkdirSync(temporary)
  process.env.TMPDIR = temporary
  try {
    const posthorn = await open()
    assert.equal((await posthorn.anyone.get(await load(posthorn))).status, 200)
    assert.deepEqual(readdirSync(temporary), [])
    assert.ok(existsSync(dist))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
})

test('it is built where a process may have few files open, however many the sources are', async (t) => {
  if (process.platform === 'win32') return t.skip('it has no such limit')
  for (let n = 0; n < 300; n++) writeFileSync(join(sources, `sheet-${n}.css`), `.sheet-${n} { color: red }`)
  const build = `ulimit -n 100 && exec '${process.execPath}' '${join(copy, 'bin', 'posthorn.js')}' dashboard build`
  const { stdout } = await promisify(execFile)('sh', ['-c', build])
  assert.match(stdout, /^The dashboard is built: /)
})
