import { parseArgs } from 'node:util'
import { issueResetToken } from '../auth/account-tokens/issue.ts'
import { createAccountUnlessTaken, usualTeamName } from '../auth/create-account.ts'
import { Signup } from '../auth/schema.ts'
import { grantCredit } from '../billing/credit/set.ts'
import { planNames } from '../billing/plans.ts'
import type { App, Plan } from '../context.ts'
import { faultFinder } from '../platform/http/validation.ts'
import { linkText } from './reset-link.ts'
import { UsageError } from './usage-error.ts'
import { withApp } from './with-app.ts'

const usage = `user create EMAIL [--team NAME] [--plan ${planNames.join('|')}]`

type NewUser = { email: string; teamName: string; plan: Plan }

/** Creates an account with a team and prints a link with which its owner sets the password. */
export async function createUserCommand(args: string[]): Promise<void> {
  const user = readArguments(args)
  await withApp(async (app) => {
    const { teamId, token } = await createUser(app, user)
    const { email, teamName, plan } = user
    process.stdout.write(
      `${email} has an account, with the team ${teamName} (${teamId}) on the plan ${plan}.\n${linkText(app, token)}`,
    )
  })
}

function readArguments(args: string[]): NewUser {
  try {
    const options = { team: { type: 'string' }, plan: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [email = '', ...rest] = positionals
    const { team, plan: planName = 'free' } = values
    const plan = planNames.find((known) => known === planName)
    const teamName = team ?? usualTeamName(email, null)
    if (rest.length === 0 && plan && email) return refuseUnusable({ email, teamName, plan })
  } catch (error) {
    // An unknown option, or one without its value: the usage text explains both.
    if (error instanceof UsageError) throw error
  }
  throw new UsageError(usage)
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
