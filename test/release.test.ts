import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { checkRelease, type Product } from '../scripts/check-release.ts'
import { slowTest } from './slow.ts'

const product: Product = { versions: { 'the OpenAPI document': '0.3.0' }, settings: '# Settings\n' }
const files = {
  'package.json': '{"version":"0.3.0"}',
  'package-lock.json': '{"version":"0.3.0","packages":{"":{"version":"0.3.0"}}}',
  'sdk/package.json': '{"version":"0.3.0"}',
  'CHANGELOG.md': '# Changelog\n\n## 0.3.0 – 2026-11-26\n\n- News.\n\n## 0.2.0 – 2026-11-22\n',
  'docs/settings.md': '# Settings\n',
  'docs/production.md': 'git clone --branch v0.3.0 URL\ngit checkout vX.Y.Z\n',
  'docs/quickstarts/README.md': 'npm install ./posthorn-sdk-0.3.0.tgz\n',
  'docs/quickstarts/rails.md': 'It needs no package.\n',
  'migrations/0001_first.sql': 'create table first ()',
}
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test('a checkout in which everything agrees may be released', () => {
  const { todos } = released()
  assert.deepEqual(todos(), {})
})

test('what is not committed holds a release back', () => {
  const { write, todos } = released()
  write({ 'docs/settings.md': '# Settings \n', 'left.ts': '' })
  assert.match(todos()['everything is committed']!, /^commit or remove docs\/settings\.md, left\.ts$/)
})

test('a place with another version holds a release back, and is named', () => {
  const { write, todos } = released()
  write({ 'package-lock.json': '{"version":"0.3.0","packages":{"":{"version":"0.2.0"}}}' })
  const versions = { 'the OpenAPI document': '0.1.0' }
  assert.match(
    todos({ ...product, versions })['every place shows 0.3.0']!,
    /^the root package of package-lock\.json shows 0\.2\.0, the OpenAPI document shows 0\.1\.0;/,
  )
})

test('a page whose commands name another version holds a release back', () => {
  const { write, todos } = released()
  write({
    'docs/production.md': 'git clone --branch v0.2.0 URL\n',
    'docs/quickstarts/README.md': 'npm install ./posthorn-sdk-0.3.0.tgz\nbun add ./posthorn-sdk-0.2.1.tgz\n',
  })
  assert.match(
    todos()['every place shows 0.3.0']!,
    /^docs\/quickstarts\/README\.md shows 0\.3\.0 and 0\.2\.1, docs\/production\.md shows 0\.2\.0;/,
  )
})

const changelogs: [string, string, RegExp][] = [
  ['still begins with unreleased changes', '## Unreleased\n\n- More.\n\n## 0.3.0 – 2026-11-26\n\n- News.\n', /first/],
  ['has no date', '## 0.3.0\n\n- News.\n', /"## 0\.3\.0 – YYYY-MM-DD"; it is "## 0\.3\.0"/],
  ['has a date that does not exist', '## 0.3.0 – 2026-13-26\n\n- News.\n', /YYYY-MM-DD/],
  ['says nothing of the version', '## 0.3.0 – 2026-11-26\n\n## 0.2.0 – 2026-11-22\n\n- Old.\n', /what has changed/],
  ['has no version', '', /first heading/],
]
for (const [what, text, expected] of changelogs) {
  test(`a changelog that ${what} holds a release back`, () => {
    const { write, todos } = released()
    write({ 'CHANGELOG.md': `# Changelog\n\n${text}` })
    assert.match(todos()['CHANGELOG.md begins with 0.3.0']!, expected)
  })
}

test('a page of settings that was not written anew holds a release back', () => {
  const { todos } = released()
  assert.match(
    todos({ ...product, settings: '# Other settings\n' })['docs/settings.md is as declared']!,
    /npm run generate/,
  )
})

slowTest('a migration that was released may not be changed or removed, and a new one may be added', () => {
  const { write, git, todos } = released()
  const subject = 'released migrations are unchanged'
  write({ 'migrations/0001_first.sql': 'create table other ()' })
  git('commit', '--all', '--message', 'Before any release')
  assert.equal(todos()[subject], undefined)

  git('tag', 'v0.2.0')
  write({ 'migrations/0002_second.sql': 'create table second ()' })
  git('add', '.')
  git('commit', '--message', 'A new one')
  assert.equal(todos()[subject], undefined)

  write({ 'migrations/0001_first.sql': 'create table changed ()' })
  git('commit', '--all', '--message', 'A change')
  assert.match(todos()[subject]!, /^restore migrations\/0001_first\.sql from v0\.2\.0/)

  git('mv', 'migrations/0001_first.sql', 'migrations/0003_first.sql')
  git('commit', '--message', 'Another name')
  assert.match(todos()[subject]!, /^restore migrations\/0001_first\.sql from v0\.2\.0/)
})

test('a version that has its tag already is not released again', () => {
  const { git, todos } = released()
  git('tag', 'v0.3.0')
  assert.match(todos()['the tag v0.3.0 is free']!, /next version/)
})

/** Makes a repository that may be released. `todos` says what holds the release back, by subject. */
function released() {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-release-'))
  folders.push(folder)
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'core.hooksPath=/dev/null']
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' })
  const write = (changed: Record<string, string>) => {
    for (const [name, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  write(files)
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--message', 'First')
  const todos = (shown = product) =>
    Object.fromEntries(
      checkRelease(folder, shown).flatMap(({ subject, todo }) => (todo === null ? [] : [[subject, todo]])),
    )
  return { write, git, todos }
}
