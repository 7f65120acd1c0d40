import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const product = fileURLToPath(new URL('..', import.meta.url))
const script = join(product, 'scripts/check.ts')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-check-'))
after(() => rmSync(folder, { recursive: true }))

const caller = "import { save } from './save.ts'\n\nexport function close(): void {\n  save()\n}\n"
const project = '{\n  "extends": "../tsconfig.json",\n  "include": ["."],\n  "exclude": []\n}\n'
const nothing = 'export const nothing = null\n'

makeCheckout()

test('a check repeats nothing that has passed, and finds what a change breaks in a file that has not changed', () => {
  const first = check()
  assert.equal(first.status, 0, first.output)
  assert.doesNotMatch(first.output, /nothing has changed/)
  assert.equal(check().output.match(/nothing has changed/g)?.length, 7)
  assert.doesNotMatch(check('--all').output, /nothing has changed/)

  write({ 'src/save.ts': 'export async function save(): Promise<void> {}\n' })
  for (const _ of ['first', 'again']) {
    const { status, output } = check()
    assert.equal(status, 1, output)
    assert.match(output, /src\/close\.ts:4:3 lint\/nursery\/noFloatingPromises/)
    assert.match(output, /s {2}promises that nothing waits for: FAULTS/)
  }

  write({ 'src/save.ts': 'export function save(name: string): string {\n  return name\n}\n' })
  for (const _ of ['first', 'again']) {
    const { status, output } = check()
    assert.equal(status, 1, output)
    assert.match(output, /src\/close\.ts\(4,3\): error TS2554/)
    assert.match(output, /s {2}types of the server: FAULTS/)
  }
})

test('a check finds a fault of style in a new file until it is gone', () => {
  write({ 'src/save.ts': 'export function save(): void {}\n', 'dashboard/new.ts': 'export const  spaced = 1\n' })
  for (const _ of ['first', 'again']) {
    const { status, output } = check()
    assert.equal(status, 1, output)
    assert.match(output, /dashboard\/new\.ts format/)
    assert.match(output, /s {2}lint \(\d+ files\): FAULTS/)
  }
  write({ 'dashboard/new.ts': 'export const spaced = 1\n' })
  const { status, output } = check()
  assert.equal(status, 0, output)
})

function check(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Makes a small checkout with the rules and the packages of this one, and a cache of its own. */
function makeCheckout(): void {
  execFileSync('git', ['init', '--quiet', folder])
  write({
    '.gitignore': 'node_modules/\n',
    'package.json': '{\n  "type": "module"\n}\n',
    'src/save.ts': 'export function save(): void {}\n',
    'src/close.ts': caller,
    'test/browser/page.ts': nothing,
    'test/browser/tsconfig.json': project.replace('../', '../../'),
    'dashboard/page.ts': nothing,
    'dashboard/tsconfig.json': project,
    'sdk/page.ts': nothing,
    'sdk/tsconfig.json': project,
    'cli/page.ts': nothing,
    'cli/tsconfig.json': project,
  })
  for (const name of ['tsconfig.json', 'biome.json']) write({ [name]: readFileSync(join(product, name), 'utf8') })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(product, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(product, 'node_modules', name), join(folder, 'node_modules', name))
}
