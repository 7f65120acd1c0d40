import Type from 'typebox'
import { Body, Resource } from '../../platform/http/schema/schema.ts'
import { LinkToken } from '../schema.ts'

export const Verification = Body('AddressVerification', { token: LinkToken })

export const EmailWasVerified = Resource('AddressWasVerified', { verified: Type.Literal(true) })
