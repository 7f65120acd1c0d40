import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted } from '../../platform/http/schema/schema.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { MailRequested } from '../schema.ts'
import { changeAddress } from './change-address.ts'
import { deleteAccount } from './delete.ts'
import { requestAddress } from './request-address.ts'
import { AccountDeletion, AddressLink, AddressWasChanged, NewAddress } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { changes: 'account' })

export const accountRoutes: Route[] = [
  route('DELETE /auth/me', 'deleteMe', {
    roles: everybody,
    forSetup: true,
    asksAgain: true,
    summary: 'Delete the own account',
    description:
      'Leaves all teams, and ends sessions, links, second factor and linked providers. API keys that the person made belong to their ' +
      'teams and stay; audit logs keep the name. 409 with `teams` while a team has no other owner: make another member an owner, or ' +
      'delete the team. With `deleteTeams` those of them that have no other member are deleted as by `DELETE /v1/team`. It cannot be ' +
      `undone.`,
    body: AccountDeletion,
    bodyOptional: true,
    response: Deleted,
    refusals: ['notFound', 'conflict'],
    handle: ({ app, caller, body }) => deleteAccount(app, caller, body),
  }),
  route('POST /auth/me/email', 'requestAddressChange', {
    roles: everybody,
    asksAgain: true,
    summary: 'Ask for another address',
    description:
      'Mails a link to the new address, which works once, within 24 hours, and ends earlier ones. Only opening it changes the ' +
      'address of the account. The present address is told. The answer is the same where the new address has an account: that ' +
      'address is told, and gets no link. Three an hour, then 429. 409 for the present address, and if the server cannot send ' +
      `mail to its users.`,
    body: NewAddress,
    response: MailRequested,
    refusals: ['notFound', 'conflict', 'limitExceeded'],
    handle: ({ app, caller, body, request }) => requestAddress(app, caller, { ...body, clientAddress: request.ip }),
  }),
  route('POST /auth/me/email/confirm', 'confirmAddressChange', {
    access: 'public',
    summary: 'Take the new address by its link',
    description:
      'Takes the token of the link. The address becomes that of the account, and is verified. Every session of the account ends, and ' +
      'so do links that were mailed for it; password, second factor and API keys stay. A token that was used, has expired or never ' +
      'existed is 400 `invalid_token`; 409 if the address has got an account meanwhile.',
    body: AddressLink,
    response: AddressWasChanged,
    refusals: ['conflict'],
    refusalNames: { invalid: ['invalid_token'] },
    handle: ({ app, body }) => changeAddress(app, body.token),
  }),
]
