import type { App, Caller, Role, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, rateLimited } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { refuseAnother } from '../../teams/bounds/refuse-another.ts'
import { lockRole } from '../../teams/members/lock-role.ts'
import { refuseOwnersRoles } from '../../teams/members/refuse.ts'
import { refuseStaleLogin } from '../../teams/refuse-stale-login.ts'
import { admins } from '../../teams/roles/roles.ts'
import { tokenLink } from '../account-tokens/link.ts'
import { countAttempt } from '../throttle/guard.ts'
import { subjectsOfVerification } from '../throttle/rules.ts'
import { issueInvitationToken } from './issue.ts'
import { deleteInvitation, findInvitationOfAddress, insertInvitation, invitationsOf } from './queries.ts'
import type { Invitation } from './schema.ts'

const lifeMs = 7 * 24 * 3_600_000
/** Each invitation is mailed to an address that a member chooses, so a team sends few of them. */
const anHourMax = 100
const hourMs = 3_600_000

type CreatedInvitation = Invitation & { url: string }

/**
 * Invites an address to the team for 7 days, in place of an earlier invitation of the address. Only this answer holds
 * the link. Throws `conflict` for a member, `forbidden` if an admin invites an owner or a stale login an owner or
 * admin, `unprocessable` at the plan's limit.
 */
export function inviteMember(
  app: App,
  caller: Caller,
  { email, role }: { email: string; role: Role },
  clientAddress: string,
): Promise<CreatedInvitation> {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const own = await lockRole(tx, caller, admins)
    const earlier = await findInvitationOfAddress(tx.db, teamId, email)
    refuseOwnersRoles(own, earlier && earlier.expires_at > tx.now ? [role, earlier.role] : [role])
    if (admins.includes(role)) refuseStaleLogin(caller, tx.now)
    await refuseMember(tx, teamId, email)
    await refuseHaste(tx, teamId)
    if (earlier) await deleteInvitation(tx, teamId, earlier.id)
    await refuseAnother(tx, teamId, 'members')
    const id = tx.newId()
    const expiresAt = new Date(tx.now.getTime() + lifeMs)
    const times = { created_at: tx.now, expires_at: expiresAt }
    await insertInvitation(tx, { team_id: teamId, id, email, role, invited_by: caller.id, ...times })
    const token = await issueInvitationToken(tx, { teamId, invitationId: id, mailed: false })
    if (await isMailed(tx, app, caller, clientAddress))
      await publish(tx, [{ type: 'team.invited', teamId, data: { invitationId: id } }])
    const target = { type: 'invitation', id, name: email }
    await recordChange(tx, { teamId, action, target, changes: { role: { from: null, to: role } } })
    const invitation = await invitationsOf(tx.db, teamId, tx.now)
      .where('invitation.id', '=', id)
      .executeTakeFirstOrThrow()
    return { ...invitation, url: tokenLink(app, 'invitation', token) }
  })
}

const action = 'invitation.created'

async function refuseMember(tx: Tx, teamId: string, email: string): Promise<void> {
  const member = await tx.db
    .selectFrom('team_members as member')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select('member.role')
    .where('member.team_id', '=', teamId)
    .where('user.email_lower', '=', email.toLowerCase())
    .executeTakeFirst()
  if (member) throw conflict(`${email} is a member of this team already, with the role ${member.role}.`)
}

/**
 * Tells whether the invitation is mailed. Its text has names that the inviter chose, so that of an account whose
 * address is not verified counts with the mails for sign-ups from its network.
 */
async function isMailed(tx: Tx, { config }: App, { id }: Caller, clientAddress: string): Promise<boolean> {
  if (config.systemFrom === null) return false
  const inviter = await tx.db.selectFrom('users').select('email_verified_at').where('id', '=', id).executeTakeFirst()
  return Boolean(inviter?.email_verified_at) || (await countAttempt(tx, subjectsOfVerification(clientAddress))) === null
}

/** Counts the audit log, so that revoked and replaced invitations count too. The team's lock makes the count exact. */
async function refuseHaste(tx: Tx, teamId: string): Promise<void> {
  const { count } = await tx.db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    .where('action', '=', action)
    .where('at', '>', new Date(tx.now.getTime() - hourMs))
    .executeTakeFirstOrThrow()
  if (Number(count) < anHourMax) return
  throw rateLimited(`A team invites at most ${anHourMax} addresses an hour. Try again later.`, hourMs / 1000)
}
