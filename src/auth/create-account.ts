import type { Plan, Tx } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { cleanName } from '../platform/text/name.ts'
import { createTeam } from '../teams/create.ts'
import { insertMember, insertUser } from '../teams/queries.ts'

type NewAccount = {
  email: string
  name: string | null
  /** Null for a user who signs in through a provider only. */
  passwordHash: string | null
  /** True if the user has proven to own the address. */
  emailVerified: boolean
  teamName: string
  plan?: Plan
}

type Account = { userId: string; teamId: string }

/** Creates a user with a new team. Throws `conflict` if the address has an account. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<Account> {
  const created = await createAccountUnlessTaken(tx, account)
  if (!created) throw conflict('An account with this address exists. Log in instead.')
  return created
}

/** Creates a user with a new team. Null if the address has an account; one of several concurrent sign-ups succeeds. */
export async function createAccountUnlessTaken(
  tx: Tx,
  { teamName, plan, ...user }: NewAccount,
): Promise<Account | null> {
  const userId = await insertUser(tx, user)
  if (!userId) return null
  const team = await createTeam(tx, { name: teamName, ...(plan && { plan }) })
  await insertMember(tx, { teamId: team.id, userId, role: 'owner' })
  return { userId, teamId: team.id }
}

/** The name of a team that was not named at sign-up. */
export function usualTeamName(email: string, name: string | null): string {
  return `${name ?? cleanName(email.split('@')[0]!, 100) ?? 'Somebody'}'s team`
}
