import type { Plan, Tx } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { createTeam } from '../teams/create.ts'
import { insertMember, insertUser } from '../teams/queries.ts'

export type NewAccount = {
  email: string
  name: string | null
  /** Null for somebody who signs in through a provider only. */
  passwordHash: string | null
  /** Whether the person has proven that the address is theirs. */
  emailVerified: boolean
  teamName: string
  plan?: Plan
}

export type Account = { userId: string; teamId: string }

/** A user with a team of their own. Throws `conflict` for a taken address. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<Account> {
  const created = await createAccountUnlessTaken(tx, account)
  if (!created) throw conflict('An account with this address exists. Log in instead.')
  return created
}

/** Null for a taken address: one of several sign-ups that race gets the account. */
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

/** What a team is called until somebody names it. */
export function usualTeamName(email: string, name: string | null): string {
  return `${name ?? email.split('@')[0]}'s team`
}
