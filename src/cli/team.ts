import { limitNames, planNames } from '../billing/plans.ts'
import { setPlan } from '../billing/set-plan.ts'
import type { LimitOverrides } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { boundNames } from '../teams/bounds/plan-bounds.ts'
import { setTeamLimits } from '../teams/set-plan.ts'
import { UsageError } from './usage-error.ts'
import { withApp } from './with-app.ts'

export async function listTeams(): Promise<void> {
  await withApp(async (app) => {
    const teams = await app.db
      .selectFrom('teams')
      .select(['id', 'name', 'plan', 'limit_overrides'])
      .where('test_of', 'is', null)
      .orderBy('id')
      .execute()
    for (const { id, name, plan, limit_overrides } of teams) {
      const overrides = Object.entries(limit_overrides).map(([limit, value]) => `${limit}=${value}`)
      process.stdout.write(`${[id, plan, overrides.join(',') || '-', name].join('\t')}\n`)
    }
  })
}

export async function setPlanCommand([teamId = '', planName = '', ...rest]: string[]): Promise<void> {
  if (teamId === '' || planName === '' || rest.length > 0)
    throw new UsageError(`team set-plan <teamId> <${planNames.join('|')}>`)
  const plan = planNames.find((known) => known === planName)
  if (!plan) throw new UsageError(`There is no plan "${planName}"; the plans are ${planNames.join(', ')}.`)
  if (!isUuid(teamId)) throw new UsageError(`A team's id is a UUID, and "${teamId}" is not; see: posthorn team list`)
  await withApp(async (app) => {
    if (!(await app.transaction((tx) => setPlan(tx, teamId, plan)))) throw new Error(`there is no team ${teamId}.`)
    process.stdout.write(`Team ${teamId} is on the plan ${plan}.\n`)
  })
}

export async function setLimits([teamId = '', ...assignments]: string[]): Promise<void> {
  if (!isUuid(teamId) || assignments.length === 0) throw new UsageError('team set-limits <teamId> <limit>=<n>...')
  const changes = Object.fromEntries(assignments.map(readAssignment))
  await withApp(async (app) => {
    const overrides = await app.transaction((tx) => setTeamLimits(tx, teamId, changes))
    if (!overrides) throw new Error(`there is no team ${teamId}.`)
    process.stdout.write(`Overridden limits of team ${teamId}: ${JSON.stringify(overrides)}\n`)
  })
}

/** Parses `limit=number`. The daily SMS spend is in dollars and may have cents; others are whole numbers. */
function readAssignment(text: string): [keyof LimitOverrides, number | null] {
  const [name, value = ''] = text.split('=')
  const names = [...limitNames, ...boundNames]
  const limit = names.find((known) => known === name)
  if (!limit) throw new UsageError(`There is no limit "${name}"; there are ${names.join(', ')}.`)
  if (value === 'default') return [limit, null]
  const form = forms[limit] ?? /^\d{1,9}$/
  if (!form.test(value)) throw new UsageError(`${limit} must be a number of 0 or more, or default; it was "${value}".`)
  if (limit === 'smsBatchSize' && Number(value) > smsBatchMax)
    throw new UsageError(
      `${limit} must be ${smsBatchMax} at most, which is what a request may carry; it was "${value}".`,
    )
  return [limit, Number(value)]
}

const forms: { [limit in keyof LimitOverrides]: RegExp } = {
  dailySmsSpendLimit: /^\d{1,7}(\.\d{1,2})?$/,
  storedBytes: /^\d{1,15}$/,
}

/** The largest SMS batch that the API accepts. The limit of emails is also their burst, and may be higher. */
const smsBatchMax = 100
