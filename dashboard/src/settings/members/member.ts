import type { Static } from 'typebox'
import type { ChangedMember, Member as MemberSchema } from '../../../../src/teams/members/schema.ts'
import type { Json } from '../../api/json.ts'
import type { Role } from '../../api/roles.ts'

export type Member = Json<Static<typeof MemberSchema>> & { id: string }
/** API keys of a member that may do more than the member. */
export type KeysBeyond = NonNullable<Json<Static<typeof ChangedMember>>['apiKeys']>
export type Invitation = {
  id: string
  email: string
  role: Role
  invitedBy: { userId: string; name: string | null; email: string }
  expiresAt: string
  createdAt: string
}
export type CreatedInvitation = Invitation & { url: string }

export const membersPath = '/v1/team/members'
export const invitationsPath = '/v1/team/invitations'

/** Roles from most rights to fewest, and what each may do. */
export const abouts: Record<Role, string> = {
  owner: 'Does everything.',
  admin: 'Does everything but billing, deleting the team, and changing owners.',
  developer: 'Sends, and manages keys, domains, webhooks, workflows and senders.',
  marketer: 'Manages the audience, templates, broadcasts and suppressions.',
  viewer: 'Reads, without secrets.',
}

/** Returns the roles that a person with this role may give. Only owners make owners. */
export function rolesToGive(own: Role): Role[] {
  const all = Object.keys(abouts) as Role[]
  return own === 'owner' ? all : all.filter((role) => role !== 'owner')
}
