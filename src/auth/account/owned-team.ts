/**
 * A team in the refusal of the deletion of an account. The routes have no schemas of refusals, so the dashboard takes
 * the type from here.
 */
export type OwnedTeam = { id: string; name: string; otherMembers: number }
