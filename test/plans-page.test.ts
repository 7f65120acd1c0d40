import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limitNames, limitsOf, planNames, scheduledEmailsMax } from '../src/billing/plans.ts'
import { boundNames, boundsOf } from '../src/teams/bounds/plan-bounds.ts'

const gibibyte = 1024 ** 3

/** A number as the page writes it. */
function written(name: string, value: number): string {
  if (name !== 'storedBytes') return value.toLocaleString('en-US')
  return value < 1024 * gibibyte ? `${value / gibibyte} GiB` : `${value / gibibyte / 1024} TiB`
}

test('docs/plans.md has each limit of each plan as it is in force', () => {
  const page = readFileSync(new URL('../docs/plans.md', import.meta.url), 'utf8')
  const teams = planNames.map((plan) => ({ plan, limitOverrides: {} }))
  const inForce = teams.map((team) => ({
    ...limitsOf(team),
    ...boundsOf(team),
    scheduledEmails: scheduledEmailsMax(team),
  }))
  const names = [...limitNames, ...boundNames]
  const rows = [...page.matchAll(/^\| `(\w+)` *\|((?:[^|]*\|){4})[^|]*\|$/gm)].map(([, name, cells]) => [
    name,
    ...cells!.split('|', 4).map((cell) => cell.trim()),
  ])
  assert.deepEqual(
    rows.toSorted(),
    names.map((name) => [name, ...inForce.map((limits) => written(name, limits[name]))]).toSorted(),
  )
})
