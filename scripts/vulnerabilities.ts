import { spawnSync } from 'node:child_process'

/**
 * `npm run vulnerabilities`: fails if a package that the product runs with has a known vulnerability that is high or critical. Some
 * mirrors of the registry do not answer the question; then nothing is checked, and it says so.
 */
type Report = {
  message?: string
  metadata?: { vulnerabilities: Record<'critical' | 'high' | 'moderate' | 'low', number> }
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const report: Report = stdout ? JSON.parse(stdout) : {}
if (report.metadata) {
  const { critical, high, moderate, low } = report.metadata.vulnerabilities
  console.log(`critical ${critical}, high ${high}, moderate ${moderate}, low ${low}`)
  process.exitCode = critical + high > 0 ? 1 : 0
} else {
  console.log(`Not checked: the registry did not answer (${report.message ?? 'no report'}).`)
}
