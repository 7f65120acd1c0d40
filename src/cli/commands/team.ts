import { limitNames, planNames } from '../../billing/plans.ts'
import { setPlan } from '../../billing/set-plan.ts'
import type { LimitOverrides, Plan } from '../../context.ts'
import { boundNames } from '../../teams/bounds/plan-bounds.ts'
import { setTeamLimits } from '../../teams/set-plan.ts'
import { readArguments, refuseOtherTeamId } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'

export async function listTeams(): Promise<void> {
  await withApp(async (app) => {
    const teams = await app.db
      .selectFrom('teams')
      .select(['id', 'name', 'plan', 'limit_overrides'])
      .where('test_of', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    for (const { id, name, plan, limit_overrides } of teams) {
      const overrides = Object.entries(limit_overrides).map(([limit, value]) => `${limit}=${value}`)
      process.stdout.write(`${[id, plan, overrides.join(',') || '-', name].join('\t')}\n`)
    }
  })
}

export async function setPlanCommand(args: string[]): Promise<void> {
  const [teamId, planName] = readArguments(args, { required: ['<teamId>', '<plan>'] }).words as [string, string]
  const plan = planOf(planName)
  refuseOtherTeamId(teamId)
  await withApp(async (app) => {
    if (!(await app.transaction((tx) => setPlan(tx, teamId, plan)))) throw new Error(`there is no team ${teamId}.`)
    process.stdout.write(`Team ${teamId} is on the plan ${plan}.\n`)
  })
}

/** Throws `UsageError` for a name that is no plan's. */
export function planOf(name: string): Plan {
  const plan = planNames.find((known) => known === name)
  if (!plan) throw new UsageError(`There is no plan "${name}"; the plans are ${planNames.join(', ')}.`)
  return plan
}

export async function setLimits(args: string[]): Promise<void> {
  const optional = { name: 'limits', many: true }
  const { words } = readArguments(args, { required: ['<teamId>', '<limit>=<n>'], optional })
  const [teamId, ...assignments] = words as [string, ...string[]]
  refuseOtherTeamId(teamId)
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
