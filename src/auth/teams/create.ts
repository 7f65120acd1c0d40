import type { App, Caller, Plan, Role } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { notFound, unprocessable } from '../../platform/errors.ts'
import { lockAccount } from '../../teams/account.ts'
import { countOwnedTeams } from '../../teams/queries.ts'
import { createOwnTeam } from '../own-team.ts'
import { refuseClosedTeams } from '../refuse-closed.ts'

/** Enough for the brands of a company. Each free team may send, so more would get around the limits of the plan. */
const ownedMax = 10

type OwnTeam = { id: string; name: string; plan: Plan; role: Role }

/**
 * Creates a team on the free plan, whose owner is the user. Throws `unprocessable` if the user owns ten teams, and
 * `forbidden` if sign-up is closed.
 */
export function createTeamOfUser(app: App, { id: userId }: Caller, name: string): Promise<OwnTeam> {
  refuseClosedTeams(app)
  return app.transaction(async (tx) => {
    // The lock lets two requests not pass the bound together.
    if (!(await lockAccount(tx, userId))) throw notFound('account')
    if ((await countOwnedTeams(tx.db, userId)) >= ownedMax) {
      const message = `A person may own ${ownedMax} teams. Delete one first, or let another person own this one.`
      throw unprocessable('team_limit_exceeded', message, { max: ownedMax })
    }
    const id = await createOwnTeam(tx, userId, name)
    await recordChange(tx, { teamId: id, action: 'team.created', target: { type: 'team', id, name } })
    return { id, name, plan: 'free', role: 'owner' }
  })
}
