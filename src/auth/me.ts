import type { App, Caller } from '../context.ts'
import { notFound, orNotFound } from '../platform/errors.ts'
import { lockAccount, updateUserName } from '../teams/account.ts'
import { findProfile, type Profile } from '../teams/queries.ts'
import { recordAccountChange } from './record-account-change.ts'

export async function getMe(app: App, caller: Caller): Promise<Profile> {
  const profile = await findProfile(app.db, caller.teamId, caller.id)
  // The user was removed from the team after the request was identified.
  if (!profile) throw notFound('member of the team')
  return profile
}

/** Changes the name of the signed-in user. Returns what `getMe` does. */
export async function renameUser(app: App, caller: Caller, name: string): Promise<Profile> {
  await app.transaction(async (tx) => {
    const account = await orNotFound('account', lockAccount(tx, caller.id))
    if (account.name === name) return
    await updateUserName(tx, caller.id, name)
    const changes = { name: { from: account.name, to: name } }
    await recordAccountChange(tx, { userId: caller.id, teamId: caller.teamId, action: 'user.renamed', changes })
  })
  return getMe(app, caller)
}
