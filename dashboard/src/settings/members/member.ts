import type { Patches, Posts } from '../../api/endpoints.ts'
import type { ListRow } from '../../api/list.ts'
import { namesOf } from '../../api/objects.ts'
import type { RowOf } from '../../api/request.ts'
import type { Role } from '../../api/roles.ts'

export type Member = ListRow<'/v1/team/members'>
/** API keys of a member that may do more than the member. */
export type KeysBeyond = NonNullable<Patches['/v1/team/members/:userId']['answer']['apiKeys']>
export type Invitation = RowOf<'/v1/team/invitations'>
export type CreatedInvitation = Posts['/v1/team/invitations']['answer']

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
  const all = namesOf(abouts)
  return own === 'owner' ? all : all.filter((role) => role !== 'owner')
}
