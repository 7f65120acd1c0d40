import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * `npm run vulnerabilities`: fails if a package that the product runs with has a known vulnerability that is high or
 * critical. Some mirrors of the registry do not answer the question. Then the packages are compared with the advisories
 * of `advisories.json`, which may lack newer ones.
 */
type Report = {
  message?: string
  metadata?: { vulnerabilities: Record<'critical' | 'high' | 'moderate' | 'low', number> }
}

/** `vulnerable` has pairs of versions: the first with the fault, and the first without it. */
export type Advisory = { id: string; package: string; vulnerable: [from: string, until: string][] }
type Lock = { packages: Record<string, { version?: string; dev?: boolean }> }

/** Names the advisories that hold for packages which the product runs with: `name version: id`. */
export function applying(advisories: Advisory[], { packages }: Lock): string[] {
  const used = Object.entries(packages).flatMap(([path, { version, dev }]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? []
    return name && version && !dev ? [{ name, version }] : []
  })
  return advisories.flatMap(({ id, package: of, vulnerable }) =>
    used
      .filter(({ name, version }) => name === of && vulnerable.some((range) => isWithin(version, range)))
      .map(({ name, version }) => `${name} ${version}: ${id}`),
  )
}

function isWithin(version: string, [from, until]: [string, string]): boolean {
  const compare = (other: string) => partsOf(version).reduce((found, part, i) => found || part - partsOf(other)[i]!, 0)
  return compare(from) >= 0 && compare(until) < 0
}

/** A version before a release counts as the release. */
const partsOf = (version: string) => version.split('-')[0]!.split('.').map(Number)

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}

function compareWithFile(message: string): void {
  const { date, advisories } = readJson<{ date: string; advisories: Advisory[] }>('advisories.json')
  const found = applying(advisories, readJson<Lock>('../package-lock.json'))
  console.log(`The registry did not answer (${message}). Compared with ${advisories.length} advisories of ${date}:`)
  console.log(found.length > 0 ? found.join('\n') : 'none applies.')
  process.exitCode = found.length > 0 ? 1 : 0
}

function ask(): void {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const { message = 'no report', metadata }: Report = stdout ? JSON.parse(stdout) : {}
  if (!metadata) {
    compareWithFile(message)
    return
  }
  const { critical, high, moderate, low } = metadata.vulnerabilities
  console.log(`critical ${critical}, high ${high}, moderate ${moderate}, low ${low}`)
  process.exitCode = critical + high > 0 ? 1 : 0
}

if (import.meta.main) ask()
