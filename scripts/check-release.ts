import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `todo` says what to do before the release, or is null. */
export type Check = { subject: string; todo: string | null }

/**
 * The parts of the running product that a release checks: its version, by the place that shows it, and the text of
 * docs/settings.md.
 */
export type Product = { versions: Record<string, string>; settings: string }

type Git = (...args: string[]) => string

/** Says whether the checkout at `root` may be released as the version of its package.json. */
export function checkRelease(root: string, product: Product): Check[] {
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const git: Git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd()
  const { version } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  const versions = {
    'package-lock.json': lock.version,
    'the root package of package-lock.json': lock.packages[''].version,
    'sdk/package.json': JSON.parse(read('sdk/package.json')).version,
    ...versionsInPages(root),
    ...product.versions,
  }
  const settingsTodo = read('docs/settings.md') === product.settings ? null : 'run npm run generate'
  return [
    { subject: 'everything is committed', todo: commitTodo(git) },
    { subject: `every place shows ${version}`, todo: versionTodo(version, versions) },
    { subject: `CHANGELOG.md begins with ${version}`, todo: changelogTodo(version, read('CHANGELOG.md')) },
    { subject: 'docs/settings.md is as declared', todo: settingsTodo },
    { subject: 'released migrations are unchanged', todo: migrationsTodo(git) },
    { subject: `the tag v${version} is free`, todo: tagTodo(version, git) },
  ]
}

function commitTodo(git: Git): string | null {
  const changed = git('status', '--porcelain').split('\n').filter(Boolean)
  return changed.length === 0 ? null : `commit or remove ${changed.map((line) => line.slice(3)).join(', ')}`
}

const quickstarts = 'docs/quickstarts'

/** Reads the versions in commands that readers copy from the pages, by the page. */
function versionsInPages(root: string): Record<string, string> {
  const quickstartPages = readdirSync(join(root, quickstarts)).filter((name) => name.endsWith('.md'))
  const pages: [page: string, shown: RegExp][] = [
    ...quickstartPages.map((name): [string, RegExp] => [`${quickstarts}/${name}`, /posthorn-sdk-(\d[\w.-]*)\.tgz/g]),
    ['docs/production.md', /\bv(\d+\.\d+\.\d+)\b/g],
  ]
  const versions: Record<string, string> = {}
  for (const [page, shown] of pages) {
    const found = Array.from(readFileSync(join(root, page), 'utf8').matchAll(shown), ([, version]) => version)
    if (found.length > 0) versions[page] = [...new Set(found)].join(' and ')
  }
  return versions
}

function versionTodo(version: string, shown: Record<string, string>): string | null {
  const others = Object.entries(shown).filter(([, found]) => found !== version)
  if (others.length === 0) return null
  const found = others.map(([place, other]) => `${place} shows ${other}`).join(', ')
  return `${found}; npm install --package-lock-only writes package-lock.json, and the others are written by hand`
}

function changelogTodo(version: string, changelog: string): string | null {
  const [, first = ''] = changelog.split(/^## /m)
  const [heading = '', ...lines] = first.split('\n')
  const date = heading.startsWith(`${version} – `) ? heading.slice(version.length + 3) : ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    return `write its first heading as "## ${version} – YYYY-MM-DD"; it is "## ${heading}"`
  return lines.join('').trim() === '' ? `write under "## ${heading}" what has changed` : null
}

/**
 * Looks at the migrations since the last tag that this commit follows. Servers refuse a changed one that they have run.
 */
function migrationsTodo(git: Git): string | null {
  const [last] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n')
  if (!last) return null
  const changed = git('diff', '--name-only', '--no-renames', '--diff-filter=a', last, 'HEAD', '--', 'migrations')
  if (changed === '') return null
  return `restore ${changed.split('\n').join(', ')} from ${last}, and write a new migration`
}

function tagTodo(version: string, git: Git): string | null {
  const taken = git('tag', '--list', `v${version}`) !== ''
  return taken ? 'set the next version in package.json and CHANGELOG.md' : null
}
