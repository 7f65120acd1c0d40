import type { App, Caller } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findProfile, type Profile } from '../teams/queries.ts'

export async function getMe(app: App, caller: Caller): Promise<Profile> {
  const profile = await findProfile(app.db, caller.teamId, caller.id)
  // The user was removed from the team after the request was identified.
  if (!profile) throw notFound('member of the team')
  return profile
}
