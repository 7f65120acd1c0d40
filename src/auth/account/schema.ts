import Type from 'typebox'
import { Body, Resource } from '../../platform/http/schema/schema.ts'
import { Email, LinkToken } from '../schema.ts'

export const NewAddress = Body('NewAddress', { email: Email })

export const AccountDeletion = Body('AccountDeletion', {
  deleteTeams: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also deletes the teams that have no other member.',
    }),
  ),
})

export const AddressLink = Body('AddressLink', { token: LinkToken })

export const AddressWasChanged = Resource('AddressWasChanged', { changed: Type.Literal(true) })
