import { NewTeam } from '../../auth/teams/schema.ts'
import { grantCredit } from '../../billing/credit/set.ts'
import type { Plan, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import { createTeam } from '../../teams/create.ts'
import { findUserByEmail, insertMember } from '../../teams/queries.ts'
import { databaseOf } from '../database-of.ts'
import { readArguments } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'
import { planOf } from './team.ts'

/** Creates a further team, whose owner has an account. */
export async function createTeamCommand(args: string[]): Promise<void> {
  const { words, options } = readArguments(args, { required: ['NAME', 'EMAIL'], options: { plan: 'text' } })
  const [name, email] = words as [string, string]
  const plan = planOf(options.plan ?? 'free')
  const [fault] = faultsOf({ name })
  if (fault) throw new UsageError(`The name of the team ${fault.message}.`)
  await withApp(
    async (app) => {
      const id = await app.transaction((tx) => createTeamOf(tx, { name, email, plan }))
      process.stdout.write(
        `Team ${name} (${id}) is on the plan ${plan}, with the owner ${email}, in ${databaseOf(app.config)}.\n`,
      )
    },
    { makesDatabase: true },
  )
}

const faultsOf = faultFinder(NewTeam)

async function createTeamOf(
  tx: Tx,
  { name, email, plan }: { name: string; email: string; plan: Plan },
): Promise<string> {
  const owner = await findUserByEmail(tx.db, email)
  if (!owner) throw new Error(`there is no account with the address ${email}. Make one: posthorn user create ${email}`)
  const { id } = await createTeam(tx, { name, plan })
  await insertMember(tx, { teamId: id, userId: owner.id, role: 'owner' })
  if (plan !== 'free') await grantCredit(tx, id, plan)
  await recordChange(tx, { teamId: id, action: 'team.created', target: { type: 'team', id, name } })
  return id
}
