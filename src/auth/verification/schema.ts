import Type from 'typebox'
import { Strict } from '../../platform/http/schema/schema.ts'
import { LinkToken } from '../schema.ts'

export const Verification = Strict({ token: LinkToken })

export const EmailWasVerified = Type.Object({ verified: Type.Literal(true) })
