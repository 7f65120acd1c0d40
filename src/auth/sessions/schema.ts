import Type from 'typebox'
import { Nullable, Page, Strict, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'
import { Password, TwoFactorCode } from '../schema.ts'

/** Exactly one of the two. */
export const Proof = Strict(
  { password: Type.Optional(Password), code: Type.Optional(TwoFactorCode) },
  { minProperties: 1, maxProperties: 1, examples: [{ password: 'correct horse battery' }] },
)

export const Reauthenticated = Type.Object({ reauthenticated: Type.Literal(true), until: Timestamp })

export const SessionList = Page(
  Type.Object({
    id: Uuid,
    current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
    userAgent: Nullable(Type.String({ description: 'Of the last sign-in or refresh, at most 200 characters.' })),
    address: Nullable(Type.String({ description: 'Of the last sign-in or refresh.', examples: ['203.0.113.7'] })),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
  }),
)
