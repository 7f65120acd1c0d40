import { issueResetToken } from '../../auth/account-tokens/issue.ts'
import { createAccountUnlessTaken, usualTeamName } from '../../auth/create-account.ts'
import { Signup } from '../../auth/schema.ts'
import { grantCredit } from '../../billing/credit/set.ts'
import type { App, Plan } from '../../context.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import { databaseOf } from '../database-of.ts'
import { readArguments } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'
import { linkText } from './reset-link.ts'
import { planOf } from './team.ts'

type NewUser = { email: string; teamName: string; plan: Plan }

/** Creates an account with a team and prints a link with which its owner sets the password. */
export async function createUserCommand(args: string[]): Promise<void> {
  const user = readUser(args)
  await withApp(
    async (app) => {
      const { teamId, token } = await createUser(app, user)
      const { email, teamName, plan } = user
      process.stdout.write(
        `${email} has an account, with the team ${teamName} (${teamId}) on the plan ${plan}, in ${databaseOf(app.config)}.\n${linkText(app, token)}`,
      )
    },
    { makesDatabase: true },
  )
}

function readUser(args: string[]): NewUser {
  const { words, options } = readArguments(args, { required: ['EMAIL'], options: { team: 'text', plan: 'text' } })
  const email = words[0]!
  const plan = planOf(options.plan ?? 'free')
  return refuseUnusable({ email, teamName: options.team ?? usualTeamName(email, null), plan })
}

const faultsOf = faultFinder(Signup)

/** Applies the rules of a sign-up. */
function refuseUnusable(user: NewUser): NewUser {
  const { email, teamName } = user
  const [fault] = faultsOf({ email, teamName, password: 'set by the link' })
  if (fault) throw new UsageError(`${fault.path === 'email' ? `"${email}"` : 'The name of the team'} ${fault.message}.`)
  return user
}

async function createUser(app: App, { email, teamName, plan }: NewUser): Promise<{ teamId: string; token: string }> {
  return app.transaction(async (tx) => {
    const account = { email, name: null, passwordHash: null, emailVerified: false, teamName, plan }
    const created = await createAccountUnlessTaken(tx, account)
    if (!created) throw new Error(`an account with the address ${email} exists already.`)
    if (plan !== 'free') await grantCredit(tx, created.teamId, plan)
    return { teamId: created.teamId, token: await issueResetToken(tx, created.userId, 'operator') }
  })
}
