import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startServer } from '../server-process.ts'
import { clientModules as modules } from './modules.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-clients-'))
symlinkSync(modules, join(folder, 'node_modules'))
const server = await startServer({ DATA_DIR: join(folder, 'data'), DASHBOARD: 'off' })
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
const [key = assert.fail(server.output())] = /ph_\w{32,}/.exec(server.output()) ?? []

for (const name of ['openapi.json', 'openapi-3.0.json'])
  writeFileSync(join(folder, name), await (await fetch(`${server.url}/${name}`)).text())

/** Runs a program of the installed packages. Returns what it printed. */
function run(program: string, ...args: string[]): { status: number | null; output: string } {
  const command = join(modules, '.bin', program)
  const env = { ...process.env, KEY: key, URL: server.url }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('spectral finds nothing in either form of the document', () => {
  writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  const { status, output } = run('spectral', 'lint', '--fail-severity=hint', 'openapi.json', 'openapi-3.0.json')
  assert.equal(status, 0, output)
})

test('redocly finds nothing but the paths that the specification makes ambiguous', () => {
  const { output } = run('redocly', 'lint', '--format=json', 'openapi.json')
  const found: { problems: { ruleId: string }[] } = JSON.parse(
    output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
  )
  // The server of a test is on localhost, which is an example to redocly.
  const others = found.problems.filter(
    ({ ruleId }) => !['no-ambiguous-paths', 'no-server-example.com'].includes(ruleId),
  )
  assert.deepEqual(others, [])
})

const email = `{ from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Generated', text: 'Hello' }`
const generators = {
  'openapi-typescript': {
    generate: () => run('openapi-typescript', 'openapi.json', '-o', 'made.d.ts'),
    script: `
      import createClient from 'openapi-fetch'
      import type { paths } from './made.d.ts'
      const client = createClient<paths>({ baseUrl: process.env.URL!, headers: { authorization: 'Bearer ' + process.env.KEY } })
      const { data } = await client.POST('/v1/emails', { body: ${email} })
      console.log(data!.id)`,
  },
  'hey-api': {
    generate: () => run('openapi-ts', '-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch'),
    script: `
      import { createClient } from './made/client'
      import { sendEmail } from './made/sdk.gen'
      const client = createClient({ baseUrl: process.env.URL! })
      const { data } = await sendEmail({ client, auth: process.env.KEY!, body: ${email} })
      console.log(data!.id)`,
  },
  orval: {
    generate: () => run('orval', '--input', 'openapi.json', '--output', 'made.ts', '--client', 'fetch'),
    script: `
      import { sendEmail } from './made'
      const bare = fetch
      globalThis.fetch = (path, init) => bare(process.env.URL! + path, init)
      const { data } = await sendEmail(${email}, undefined, { headers: { authorization: 'Bearer ' + process.env.KEY } })
      if ('id' in data) console.log(data.id)`,
  },
}

const compilerOptions = {
  ...{ noEmit: true, strict: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))

for (const [name, { generate, script }] of Object.entries(generators)) {
  test(`what ${name} makes of the document compiles, and sends`, async () => {
    const made = generate()
    assert.equal(made.status, 0, made.output)
    writeFileSync(
      join(folder, 'use.ts'),
      `declare const process: { env: Record<string, string | undefined> }\n${script}\n`,
    )
    const checked = run('tsc', '-p', '.')
    assert.equal(checked.status, 0, checked.output)
    const bundled = await bundle(join(folder, 'use.ts'))
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', bundled], {
      env: { ...process.env, KEY: key, URL: server.url },
      encoding: 'utf8',
    })
    assert.match(stdout, /^[0-9a-f-]{36}\n$/, stderr)
  })
}

async function bundle(entry: string): Promise<string> {
  const { build } = await import('rolldown')
  const { output } = await build({ input: entry, cwd: folder, write: false, platform: 'node' })
  return output[0].code
}
