import Type, { type Static } from 'typebox'
import {
  Body,
  Name,
  Nullable,
  Page,
  Resource,
  Strict,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'
import { RoleName } from '../../teams/members/schema.ts'
import { Email, LinkToken } from '../schema.ts'

export const NewInvitation = Body('NewInvitation', { email: Email, role: RoleName })

const fields = {
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  role: RoleName,
  invitedBy: Type.Object({
    userId: Uuid,
    name: Nullable(Type.String({ examples: ['Charles Babbage'] })),
    email: Type.String({ examples: ['charles@example.com'] }),
  }),
  expiresAt: Timestamp,
  createdAt: Timestamp,
}

export const Invitation = Resource('Invitation', fields)
export type Invitation = Static<typeof Invitation>

export const CreatedInvitation = Resource(
  'CreatedInvitation',
  {
    ...fields,
    url: Type.String({
      description: 'The link that accepts the invitation. It is shown only here. A mailed link is another one.',
      examples: ['https://mail.example.com/app/invitation#token=vJ3…'],
    }),
  },
  { 'x-extends': 'Invitation' },
)

export const InvitationList = Page(Invitation)

export const TokenParams = Strict({ token: LinkToken })

export const InvitationTerms = Resource('InvitationTerms', {
  teamName: Type.String({ examples: ['Analytical Engines'] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  role: RoleName,
  accountExists: Type.Boolean({
    description: 'Whether the address has an account, which then accepts while signed in.',
  }),
})

const forNewAccount = 'For a new account; otherwise it is not read.'
const forTeamless = 'For an account that is in no team, and so has no session'

export const Acceptance = Body('InvitationAcceptance', {
  token: LinkToken,
  name: Type.Optional(Name({ maxLength: 100, description: forNewAccount, examples: ['Ada Lovelace'] })),
  password: Type.Optional(
    Text({
      minLength: 8,
      maxLength: 128,
      description: `Of a new account: 8 to 128 characters; the most common passwords are refused. ${forTeamless}: its password. Otherwise it is not read.`,
      examples: ['correct horse battery'],
    }),
  ),
  code: Type.Optional(
    Text({ minLength: 1, maxLength: 40, description: `${forTeamless}: the code, where it has two-factor on.` }),
  ),
})
