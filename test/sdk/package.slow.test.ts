import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { makeDataFolder } from '../data-folder.ts'
import { startServer } from '../server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'posthorn-sdk-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const npm = (args: string[], cwd: string) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

npm(['pack', '--ignore-scripts=false', '--pack-destination', folder], join(root, 'sdk'))
const [tarball] = globSync('*.tgz', { cwd: folder })
writeFileSync(join(folder, 'package.json'), '{ "private": true }')
npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder)

const data = makeDataFolder('sdk')
const server = await startServer({ DATA_DIR: data, DASHBOARD: 'off' })
after(async () => {
  await server.stop()
  rmSync(data, { recursive: true, force: true })
})
const [key = assert.fail(server.output())] = /ph_\w{32,}/.exec(server.output()) ?? []
const environment = { ...process.env, POSTHORN_API_KEY: key, POSTHORN_URL: server.url }

/** The Node of the tests, and others of the path. */
const nodes = [
  ...new Set([process.execPath, ...(process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'node'))]),
].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
const email = `{ from: 'hello@sandbox.test', to: 'ada@example.com', subject: 'Packed', text: 'Hello' }`
const scripts = {
  'import.mjs': `import { Posthorn } from '@posthorn/sdk'\nimport { verifyWebhook } from '@posthorn/sdk/webhooks'\n`,
  'require.cjs': `const { Posthorn } = require('@posthorn/sdk')\nconst { verifyWebhook } = require('@posthorn/sdk/webhooks')\n`,
}

for (const [file, imports] of Object.entries(scripts)) {
  test(`the packed SDK sends by ${file.split('.')[0]} in each Node of this machine`, () => {
    const send = `new Posthorn().emails.send(${email}).then(({ id }) => console.log(id, typeof verifyWebhook))\n`
    writeFileSync(join(folder, file), imports + send)
    for (const node of nodes) {
      const said = execFileSync(node, [file], { cwd: folder, env: environment, encoding: 'utf8' })
      assert.match(said, /^[0-9a-f-]{36} function\n$/, node)
    }
  })
}

test('the lines of the README send an email', () => {
  const [, lines = assert.fail()] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const filled = lines.replace('ph_…', key).replace('http://localhost:3000', server.url)
  writeFileSync(join(folder, 'readme.mts'), `${filled}console.log(id)\n`)
  const said = execFileSync(process.execPath, ['readme.mts'], { cwd: folder, encoding: 'utf8' })
  assert.match(said, /^[0-9a-f-]{36}\n$/)
})

test('the types of the packed SDK are found by import and by require', () => {
  const lines = [
    `import { Posthorn, type Email } from '@posthorn/sdk'`,
    `import { verifyWebhook } from '@posthorn/sdk/webhooks'`,
    `const posthorn = new Posthorn('ph_x', { retries: 1 })`,
    `export const sent: Promise<Email> = posthorn.emails.send({ ...${email}, scheduledAt: new Date() })`,
    `export const bounced: Promise<string[]> = posthorn.emails.list({ status: 'bounced' }).all().then((all) => all.map(({ subject }) => subject))`,
    `export const event = verifyWebhook('', {}, 'whsec_x').then(({ type }) => type === 'email.sent')`,
    `// @ts-expect-error: an email has a subject`,
    `posthorn.emails.send({ from: 'a@b.test', to: 'c@d.test' })`,
    `// @ts-expect-error: there is no such status`,
    `posthorn.emails.list({ status: 'lost' })`,
  ]
  for (const file of ['module.mts', 'common.cts']) writeFileSync(join(folder, file), `${lines.join('\n')}\n`)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', '--types', '']
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, ...options, 'module.mts', 'common.cts'], { cwd: folder, stdio: 'inherit' })
})

test('the SDK is small, and has no dependency and no script that runs at an install', async () => {
  const sizeOf = async (source: string) => {
    const entry = join(folder, 'entry.mjs')
    writeFileSync(entry, source)
    const { output } = await build({ input: entry, cwd: folder, write: false, output: { minify: true } })
    return gzipSync(output[0].code, { level: 9 }).length
  }
  const sdk = await sizeOf(`import { Posthorn } from '@posthorn/sdk'\nglobalThis.posthorn = new Posthorn('k')\n`)
  const webhooks = await sizeOf(
    `import { verifyWebhook } from '@posthorn/sdk/webhooks'\nglobalThis.verify = verifyWebhook\n`,
  )
  const packed = statSync(join(folder, tarball!)).size
  console.log(`SDK ${sdk} bytes minified and gzipped, webhooks ${webhooks}, tarball ${packed}`)
  assert.ok(sdk <= 8192 && webhooks <= 1229 && packed <= 61_440, `${sdk} ${webhooks} ${packed}`)
  const { dependencies, scripts = {} } = JSON.parse(npm(['pkg', 'get'], join(root, 'sdk')))
  assert.deepEqual([dependencies, scripts.install, scripts.postinstall], [undefined, undefined, undefined])
})
