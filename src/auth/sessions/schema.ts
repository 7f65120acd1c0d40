import Type from 'typebox'
import { Body, Nullable, Page, Resource, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'
import { Password, TwoFactorCode } from '../schema.ts'

/** Exactly one of the two. */
export const Proof = Body(
  'Reauthentication',
  { password: Type.Optional(Password), code: Type.Optional(TwoFactorCode) },
  { minProperties: 1, maxProperties: 1, examples: [{ password: 'correct horse battery' }] },
)

export const Reauthenticated = Resource('Reauthenticated', { reauthenticated: Type.Literal(true), until: Timestamp })

export const SessionList = Page(
  Resource('LoginSession', {
    id: Uuid,
    current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
    userAgent: Nullable(Type.String({ description: 'Of the last sign-in or refresh, at most 200 characters.' })),
    address: Nullable(Type.String({ description: 'Of the last sign-in or refresh.', examples: ['203.0.113.7'] })),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
  }),
)
