import Type from 'typebox'
import { Strict, Timestamp } from '../../platform/http/schema.ts'
import { Password, TwoFactorCode } from '../schema.ts'

/** Exactly one of the two. */
export const Proof = Strict(
  { password: Type.Optional(Password), code: Type.Optional(TwoFactorCode) },
  { minProperties: 1, maxProperties: 1 },
)

export const Reauthenticated = Type.Object({ reauthenticated: Type.Literal(true), until: Timestamp })
