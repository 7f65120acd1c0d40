import type { App, Caller } from '../context.ts'

/**
 * True for signed-in owners and admins. Only they see system mail, the mail of the installation to its users, because
 * it may hold links of other people. API keys do not see it.
 */
export function seesSystemMail({ kind, role }: Pick<Caller, 'kind' | 'role'>): boolean {
  return kind === 'user' && (role === 'owner' || role === 'admin')
}

/** True if lists of emails leave out system mail for this caller. Other teams than `SYSTEM_TEAM` have none. */
export function hidesSystemMail({ config }: Pick<App, 'config'>, caller: Caller): boolean {
  return config.systemTeam === caller.teamId && !seesSystemMail(caller)
}
