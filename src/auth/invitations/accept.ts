import type { FastifyRequest } from 'fastify'
import type { App, Caller, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, forbidden, invalid, unauthenticated } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { lockAccount } from '../../teams/account.ts'
import { lockPeople } from '../../teams/members/lock-role.ts'
import { findMember } from '../../teams/members/queries.ts'
import { findTeamIdOfUser, findUserByEmail, insertMember, insertUser, type Profile } from '../../teams/queries.ts'
import { refuseEndedLogin } from '../../teams/refuse-ended-login.ts'
import { invalidToken } from '../account-tokens/invalid-token.ts'
import { hashToken } from '../account-tokens/token.ts'
import { moveBrowserSession } from '../browser-sessions/move.ts'
import { identify } from '../identify.ts'
import { enterByPassword } from '../login.ts'
import { refuseCommonPassword } from '../passwords/common-passwords.ts'
import { hashPassword } from '../passwords/password.ts'
import { type OpenedLogin, openLogin, type Session, sessionOf } from '../sessions/open.ts'
import { updateConfirmedAt } from '../sessions/queries.ts'
import { requestFirstVerification } from '../verification/request.ts'
import { deleteInvitation, findInvited, type Invited } from './queries.ts'

type Acceptance = {
  token: string
  name?: string
  password?: string
  code?: string
  /** Carries the session of a person with an account. */
  request: FastifyRequest
  clientAddress: string
}

/**
 * Joins the team of an invitation and opens a session in it. A person with an account is signed in as the invited
 * address; for others an account is made. A browser session is moved to the team instead, and gets no tokens. An
 * account in no team has no session where sign-up is closed: it gives its password and code, and is refused like a
 * login. Throws `invalid` (`invalid_token`) for a token that is used, expired or unknown, and `forbidden`, which keeps
 * the invitation, without the session that is needed.
 */
export async function acceptInvitation(app: App, acceptance: Acceptance): Promise<Session | Profile> {
  const tokenHash = hashToken(acceptance.token)
  const invited = await findInvited(app.db, tokenHash, app.clock.now())
  if (!invited) throw invalidToken()
  const user = await findUserByEmail(app.db, invited.email)
  const { password } = acceptance
  if (user && password !== undefined && !(await findTeamIdOfUser(app.db, user.id))) {
    return joinByPassword(app, { ...acceptance, password }, invited)
  }
  const join = user
    ? await prepareAccountToJoin(app, invited, user.id, acceptance)
    : await prepareNewcomerToJoin(app, acceptance)
  const joined = await app.transaction(async (tx) => join(tx, await lockInvited(tx, tokenHash, invited.teamId)))
  return 'profile' in joined ? await sessionOf(app, joined) : joined
}

function joinByPassword(
  app: App,
  { token, password, code, clientAddress }: Acceptance & { password: string },
  { email, teamId }: Invited,
): Promise<Session> {
  const attempt = { email, password, clientAddress, ...(code !== undefined && { code }) }
  return enterByPassword(app, attempt, async (tx, userId) => {
    const invited = await lockInvited(tx, hashToken(token), teamId)
    if (await findMember(tx.db, teamId, userId)) throw isMember()
    await turnIntoMember(tx, invited, userId)
    return openLogin(tx, app, userId, clientAddress, { inTeam: teamId })
  })
}

/** Finds the invitation again under the team's lock: another request may have accepted it, or a member revoked it. */
async function lockInvited(tx: Tx, tokenHash: Buffer, teamId: string): Promise<Invited> {
  await lockPeople(tx, teamId)
  const invited = await findInvited(tx.db, tokenHash, tx.now)
  if (!invited) throw invalidToken()
  return invited
}

/** Joins the team under its lock. What takes long, such as hashing a password, is prepared before. */
type Join = (tx: Tx, invited: Invited) => Promise<OpenedLogin | Profile>

const isMember = () => conflict('This account is a member of the team already.')

async function prepareAccountToJoin(
  app: App,
  { email }: Invited,
  userId: string,
  acceptance: Acceptance,
): Promise<Join> {
  const caller = await identify(app, acceptance.request)
  if (caller?.kind !== 'user' || caller.id !== userId) {
    throw forbidden(
      `The address ${email} has an account. Log in to it, and accept the invitation with that session. If it is in no team, send its password here.`,
    )
  }
  return async (tx, invited) => {
    if (!(await lockAccount(tx, userId))) throw unauthenticated('This account was deleted just now.')
    await refuseEndedLogin(tx, caller)
    if (await findMember(tx.db, invited.teamId, userId)) throw isMember()
    await turnIntoMember(tx, invited, userId)
    const moved = caller.isBrowser && (await moveBrowserSession(tx, caller, invited.teamId))
    if (moved) return moved
    const login = await openLogin(tx, app, userId, acceptance.clientAddress, { inTeam: invited.teamId })
    await keepAge(tx, login, caller)
    return login
  }
}

/** Gives the new login the age of the one that accepts, because no password was asked. */
async function keepAge(tx: Tx, { token }: OpenedLogin, { confirmedAt }: Caller): Promise<void> {
  if (confirmedAt) await updateConfirmedAt(tx, token.loginId, confirmedAt)
}

async function prepareNewcomerToJoin(app: App, { name, password, clientAddress }: Acceptance): Promise<Join> {
  if (password === undefined) throw invalid('password', 'is required: the invited address has no account yet')
  refuseCommonPassword(password)
  const passwordHash = await hashPassword(app, password)
  return async (tx, invited) => {
    const { email, mailed } = invited
    const userId = await insertUser(tx, { email, name: name ?? null, passwordHash, emailVerified: mailed })
    if (!userId) throw conflict('An account with the invited address was made just now. Log in, and accept with it.')
    if (!mailed) await requestFirstVerification(tx, app, { userId, teamId: invited.teamId }, clientAddress)
    await turnIntoMember(tx, invited, userId)
    return openLogin(tx, app, userId, clientAddress, { inTeam: invited.teamId, isFirst: true })
  }
}

/** Deletes the invitation and adds the member. */
async function turnIntoMember(tx: Tx, { id, teamId, email, role }: Invited, userId: string): Promise<void> {
  await deleteInvitation(tx, teamId, id)
  await insertMember(tx, { teamId, userId, role })
  if (role === 'owner') await publish(tx, [{ type: 'team.owner_added', teamId, data: { userId } }])
  const { address, requestId } = currentActor()
  const target = { type: 'member', id: userId, name: email }
  await recordChange(tx, {
    teamId,
    action: 'member.joined',
    target,
    actor: { type: 'user', id: userId, name: null, address, requestId },
    changes: { role: { from: null, to: role } },
  })
}
