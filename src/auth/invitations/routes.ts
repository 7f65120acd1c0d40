import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted, ListQuery } from '../../platform/http/schema/schema.ts'
import { admins } from '../../teams/roles/roles.ts'
import { SessionOrMe } from '../schema.ts'
import { acceptInvitation } from './accept.ts'
import { inviteMember } from './create.ts'
import { listInvitations } from './list.ts'
import { lookUpInvitation } from './look-up.ts'
import { revokeInvitation } from './revoke.ts'
import { Acceptance, CreatedInvitation, InvitationList, InvitationTerms, NewInvitation, TokenParams } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'Team' }, { changes: 'team/invitations' })

export const invitationRoutes: Route[] = [
  route('POST /v1/team/invitations', 'createInvitation', {
    roles: admins,
    asksAgain: 'for the role owner or admin',
    summary: 'Invite a person to the team',
    description:
      'For owners and admins; only owners invite owners. The invitation works once and for 7 days. Inviting an address again ' +
      'replaces its earlier invitation; inviting a member is 409. Where system mail is configured, the address also gets a ' +
      'link by mail, up to 3 an hour, and 50 a day from the team; while your own address is not verified, 30 an hour from your ' +
      'network together with sign-ups. This answer is the same in any ' +
      'case.',
    body: NewInvitation,
    response: CreatedInvitation,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body, request }) => inviteMember(app, caller, body, request.ip),
  }),
  route('GET /v1/team/invitations', 'listInvitations', {
    roles: admins,
    summary: 'List the open invitations',
    description: 'For owners and admins. Newest first, without their links.',
    query: ListQuery,
    response: InvitationList,
    handle: ({ app, caller, query }) => listInvitations(app, caller.teamId, query),
  }),
  route('DELETE /v1/team/invitations/:id', 'deleteInvitation', {
    roles: admins,
    summary: 'Revoke an invitation',
    description: 'For owners and admins; only owners revoke the invitation of an owner. Its links end at once.',
    response: Deleted,
    handle: ({ app, caller, params }) => revokeInvitation(app, caller, params.id),
  }),
  route('GET /auth/invitations/:token', 'getInvitation', {
    access: 'public',
    summary: 'Look at an invitation',
    description: 'A token that is used, expired or unknown is 400 `invalid_token`.',
    params: TokenParams,
    response: InvitationTerms,
    refusalNames: { invalid: ['invalid_token'] },
    handle: ({ app, params }) => lookUpInvitation(app, params.token),
  }),
  route('POST /auth/invitations', 'acceptInvitation', {
    access: 'public',
    changes: 'account',
    summary: 'Accept an invitation',
    description:
      'Joins the team and opens a session in it, also where sign-up is closed. A new account needs a `password`; a link that ' +
      'was mailed verifies its address. Where the address has an account, send its access token in `Authorization`, or the ' +
      'cookie of its browser session: without either 403, and the invitation stays. An account that is in no team sends its `password`, and `code` with ' +
      'two-factor, and is refused like a login. A browser session moves to the team and ' +
      'gets no tokens; the answer is that of `GET /auth/me`. A token that is used, expired or unknown is 400 `invalid_token`.',
    body: Acceptance,
    response: SessionOrMe,
    refusals: ['forbidden', 'conflict', 'limitExceeded', 'unavailable'],
    refusalNames: { invalid: ['invalid_token'], unauthenticated: ['two_factor_required', 'invalid_two_factor_code'] },
    handle: ({ app, body, request }) => acceptInvitation(app, { ...body, request, clientAddress: request.ip }),
  }),
]
