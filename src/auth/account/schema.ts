import Type from 'typebox'
import { Strict } from '../../platform/http/schema/schema.ts'
import { Email, LinkToken } from '../schema.ts'

export const NewAddress = Strict({ email: Email })

export const AccountDeletion = Strict({
  deleteTeams: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also deletes the teams that have no other member.',
    }),
  ),
})

export const AddressLink = Strict({ token: LinkToken })

export const AddressWasChanged = Type.Object({ changed: Type.Literal(true) })
