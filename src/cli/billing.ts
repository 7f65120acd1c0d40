import { verifyBilling } from '../billing/verify/verify.ts'
import { isUuid } from '../platform/ids.ts'
import { UsageError } from './usage-error.ts'
import { withApp } from './with-app.ts'

/** Checks that credits, charges and overage reports agree with the ledger and the messages. Fails on any difference. */
export async function verifyBillingCommand([teamId, ...rest]: string[]): Promise<void> {
  if (rest.length > 0 || (teamId !== undefined && !isUuid(teamId))) throw new UsageError('billing verify [teamId]')
  await withApp(async (app) => {
    const found = await verifyBilling(app, teamId ?? null, (id, differences) =>
      process.stdout.write(`team ${id}: ${differences.join('; ')}\n`),
    )
    if (teamId !== undefined && found.teams === 0)
      throw new Error(`there is no team ${teamId}; see: posthorn team list`)
    const { teams, messages, differing } = found
    const checked = `${plural(teams, 'team')}, ${plural(messages, 'message')}`
    if (differing > 0) throw new Error(`${checked}: ${plural(differing, 'team')} differ${differing === 1 ? 's' : ''}.`)
    process.stdout.write(`${checked}, all exact\n`)
  })
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
