import Type from 'typebox'
import { Nullable, Strict, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema.ts'

const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })

/** A password as it is presented; what may be chosen is narrower. */
const Password = Text({ minLength: 1, maxLength: 128, examples: ['correct horse battery'] })

export const TwoFactorCode = Text({
  minLength: 1,
  maxLength: 40,
  description: 'Of the authenticator app, or a recovery code.',
  examples: ['492039'],
})

/** A token of any length is unknown rather than malformed; the body is bounded. */
const RefreshToken = Text({ minLength: 1, maxLength: 64 * 1024, examples: ['phr_AZG3…'] })

export const Signup = Strict({
  email: Email,
  password: Text({
    minLength: 8,
    maxLength: 128,
    description: '8 to 128 characters; the most common passwords are refused.',
    examples: ['correct horse battery'],
  }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 100, examples: ['Ada Lovelace'] })),
  teamName: Type.Optional(Text({ minLength: 1, maxLength: 100, examples: ['Analytical Engines'] })),
})

export const LoginRequest = Strict({ email: Email, password: Password, code: Type.Optional(TwoFactorCode) })

export const RefreshRequest = Strict({ refreshToken: RefreshToken })

export const OauthRequest = Strict({
  provider: Text({ minLength: 1, maxLength: 100, description: 'As named by the operator.', examples: ['google'] }),
  code: Text({ minLength: 1, maxLength: 4096, description: 'The authorization code of the provider.' }),
  redirectUri: Type.String({
    format: 'uri',
    maxLength: 2000,
    description: 'Exactly as it was sent to the provider.',
    examples: ['https://app.example.com/callback'],
  }),
  codeVerifier: Type.String({
    maxLength: 128,
    pattern: '^[A-Za-z0-9._~-]{43,128}$',
    description: 'PKCE (RFC 7636); its challenge went to the provider, which is asked with `S256`.',
  }),
})

const User = Type.Object({
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  twoFactorEnabled: Type.Boolean(),
  createdAt: Timestamp,
})

const Team = Type.Object({
  id: Uuid,
  name: Type.String({ examples: ['Analytical Engines'] }),
  plan: TextEnum('free', 'pro', 'scale', 'enterprise'),
  createdAt: Timestamp,
})

export const Session = Type.Object({
  accessToken: Type.String({ description: 'A JWT, good for 15 minutes: `Authorization: Bearer <accessToken>`.' }),
  refreshToken: Type.String({ description: 'Good for 30 days and for one exchange.' }),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'Seconds the access token is good for.', examples: [900] }),
  user: User,
  team: Team,
})

export const LoggedOut = Type.Object({ revoked: Type.Literal(true) })

export const Me = Type.Object({ user: User, team: Team, role: TextEnum('owner', 'member') })
