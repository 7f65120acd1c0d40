import Type from 'typebox'
import { Body, Resource, Text } from '../../platform/http/schema/schema.ts'
import { RefreshToken } from '../schema.ts'

/** Exactly one of the two. */
export const BrowserSessionRequest = Body(
  'BrowserLogin',
  {
    refreshToken: Type.Optional(RefreshToken),
    startToken: Type.Optional(
      Text({
        minLength: 1,
        maxLength: 200,
        description: 'From the link of a first start; good once, for ten minutes.',
      }),
    ),
  },
  { minProperties: 1, maxProperties: 1, examples: [{ refreshToken: 'phr_AZG3…' }] },
)

export const SignInOptions = Resource('SignInOptions', {
  signup: Type.Boolean({ description: 'Whether anybody may create an account.' }),
  providers: Type.Array(Type.String({ examples: ['google'] }), { description: 'Names for `POST /auth/oauth`.' }),
  mail: Type.Boolean({ description: 'Whether the server sends mail of its own, such as links to reset a password.' }),
})
