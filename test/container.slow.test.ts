import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServer } from './server-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const [context, image, data] = ['context', 'image', 'data'].map((name) => {
  return mkdtempSync(join(tmpdir(), `posthorn-${name}-`))
}) as [string, string, string]
after(() => {
  for (const folder of [context, image, data]) rmSync(folder, { recursive: true, force: true })
})

/** Copies what `.dockerignore` lets through: the last line that matches a path decides, and `!` lets it in again. */
function copyContext(): void {
  for (const line of read('.dockerignore').trim().split('\n')) {
    const isLetIn = line.startsWith('!')
    for (const path of globSync(isLetIn ? line.slice(1) : line, { cwd: isLetIn ? root : context })) {
      if (isLetIn) cpSync(join(root, path), join(context, path), { recursive: true })
      else rmSync(join(context, path), { recursive: true, force: true })
    }
  }
}

/** The instructions of the Dockerfile, with continued lines joined. */
function instructions(): { does: string; words: string[]; text: string }[] {
  const lines = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [does = '', ...words] = line.split(/\s+/)
    return { does, words, text: line.slice(does.length + 1) }
  })
}

function copyInto(words: string[]): void {
  const target = join(image, words.at(-1)!)
  for (const source of words.slice(0, -1)) {
    const to = words.at(-1)!.endsWith('/') ? join(target, source) : target
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(context, source), to, { recursive: true })
  }
}

/** Reads `NAME=value`, where a path in the image stands for one in its folder. */
function setting(word: string): [name: string, value: string] {
  const [name = '', value = ''] = word.split('=')
  return [name, value.replace(/^\/app\//, `${image}/`)]
}

/** Runs a step in the image's folder. */
function run(command: string, environment: Record<string, string>): void {
  // The installation needs the network and minutes: the same packages are linked instead.
  if (command.startsWith('npm ci ')) symlinkSync(join(root, 'node_modules'), join(image, 'node_modules'))
  // The one with `ln` makes a link and folders with the rights of another user. Node makes `.compiled` itself.
  if (/^(npm ci|ln) /.test(command)) return
  const { PATH = '' } = process.env
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, ...environment }
  const { status, stdout, stderr } = spawnSync(command, { cwd: image, env, shell: true, encoding: 'utf8' })
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
}

test('the steps of the Dockerfile build an image whose server is ready and serves the dashboard', async () => {
  copyContext()
  const environment: Record<string, string> = {}
  let command: string[] = []
  for (const { does, words, text } of instructions()) {
    // The tests run on the packaged Node already.
    const set = words.filter((word) => word !== 'PATH=/app/node_modules/.bin:$PATH')
    if (does === 'ENV') Object.assign(environment, Object.fromEntries(set.map((word) => setting(word))))
    if (does === 'COPY') copyInto(words)
    if (does === 'RUN') run(text, environment)
    if (does === 'ENTRYPOINT' || does === 'CMD') command = [...command, ...JSON.parse(text)]
  }
  assert.deepEqual(command, ['node', 'bin/posthorn.js', 'serve'])
  const built = readdirOfBuild()
  assert.ok(globSync('.compiled/*/*', { cwd: image }).length > 1000, 'the image holds what Node compiles for a start')
  const settings = {
    APP_SECRET: '8f0c4e1d7ab2395f6e8d1c0b7a495836',
    PAYMENTS_PROVIDER: 'none',
    EMAIL_PROVIDER: 'capture',
  }
  const server = await startServer(
    { ...environment, ...settings, DATA_DIR: data },
    { launcher: join(image, command[1]!) },
  )
  try {
    for (const path of ['/ready', '/app', '/docs']) {
      const answer = await fetch(`${server.url}${path}`)
      assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
    }
    assert.deepEqual(readdirOfBuild(), built, 'the start builds nothing')
  } finally {
    await server.stop()
  }
})

const readdirOfBuild = () => globSync('dashboard/dist/*', { cwd: image }).sort()
