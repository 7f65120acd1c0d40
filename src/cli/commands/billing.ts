import { verifyBilling } from '../../billing/verify/verify.ts'
import type { App } from '../../context.ts'
import { plural } from '../progress.ts'
import { readArguments, refuseOtherTeamId } from '../read-arguments.ts'
import { withApp } from '../with-app.ts'

/** Checks that credits, charges and overage reports agree with the ledger and the messages. Fails on any difference. */
export async function verifyBillingCommand(args: string[]): Promise<void> {
  const [teamId] = readArguments(args, { optional: { name: 'a teamId', many: false } }).words
  if (teamId !== undefined) refuseOtherTeamId(teamId)
  await withApp((app) => reportBilling(app, teamId ?? null))
}

/** Prints the result of the check of one team or all of them. Throws if any differs. */
export async function reportBilling(app: App, teamId: string | null): Promise<void> {
  const found = await verifyBilling(app, teamId, (id, differences) =>
    process.stdout.write(`team ${id}: ${differences.join('; ')}\n`),
  )
  if (teamId !== null && found.teams === 0) throw new Error(`there is no team ${teamId}; see: posthorn team list`)
  const { teams, messages, differing } = found
  const checked = `${plural(teams, 'team')}, ${plural(messages, 'message')}`
  if (differing > 0) throw new Error(`${checked}: ${plural(differing, 'team')} differ${differing === 1 ? 's' : ''}.`)
  process.stdout.write(`${checked}, all exact\n`)
}
