import Type from 'typebox'
import { Body, Name, Nullable, Resource, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'
import type { CodeRequest as OauthCodeRequest, PendingRequest } from './oauth/sign-in.ts'

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })

/** A password to check. A password to set has narrower rules. */
export const Password = Text({ minLength: 1, maxLength: 128, examples: ['correct horse battery'] })

export const TwoFactorCode = Text({
  minLength: 1,
  maxLength: 40,
  description: 'A code of the authenticator app, or a recovery code.',
  examples: ['492039'],
})

/** As much as other requests may send. */
export const refreshBodyLimitBytes = 1024 * 1024

/** A refresh token of any length that a body may have, so that an unknown one is 401 and not 400. */
export const RefreshToken = Text({ minLength: 1, maxLength: refreshBodyLimitBytes, examples: ['phr_AZG3…'] })

const NewPassword = Text({
  minLength: 8,
  maxLength: 128,
  description: '8 to 128 characters; the most common passwords are refused.',
  examples: ['correct horse battery'],
})

export const Signup = Body('Signup', {
  email: Email,
  password: NewPassword,
  name: Type.Optional(Name({ maxLength: 100, examples: ['Ada Lovelace'] })),
  teamName: Type.Optional(Name({ maxLength: 100, examples: ['Analytical Engines'] })),
})

export const LoginRequest = Body('Login', { email: Email, password: Password, code: Type.Optional(TwoFactorCode) })

/** A token of any text, so that an unknown one is `invalid_token`. It fits into a path. */
export const LinkToken = Text({ minLength: 1, maxLength: 500, description: 'From the link.', examples: ['vJ3…'] })

export const PasswordReset = Body('PasswordReset', {
  token: LinkToken,
  password: NewPassword,
})

export const Verification = Body('AddressVerification', { token: LinkToken })

export const PasswordForgotten = Body('PasswordForgotten', { email: Email })

export const PasswordChange = Body('PasswordChange', { currentPassword: Password, password: NewPassword })

export const MeChanges = Body('MeChanges', { name: Name({ maxLength: 100, examples: ['Ada Lovelace'] }) })

export const RefreshRequest = Body('RefreshToken', { refreshToken: RefreshToken })

const oauthFields = {
  provider: Type.Optional(
    Text({ minLength: 1, maxLength: 100, description: 'As named by the operator.', examples: ['google'] }),
  ),
  code: Type.Optional(Text({ minLength: 1, maxLength: 4096, description: 'The authorization code of the provider.' })),
  redirectUri: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2000,
      description: 'The redirect URI, exactly as it was sent to the provider.',
      examples: ['https://app.example.com/callback'],
    }),
  ),
  codeVerifier: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description: 'PKCE (RFC 7636); its challenge went to the provider, which is asked with `S256`.',
    }),
  ),
  nonce: Type.Optional(
    Text({
      minLength: 1,
      maxLength: 200,
      description: 'The nonce that was sent to the provider. A sign-in with another one is refused.',
    }),
  ),
  twoFactorCode: Type.Optional(TwoFactorCode),
  pendingToken: Type.Optional(
    Text({
      minLength: 1,
      maxLength: 4096,
      description:
        'The token from the answer that asked for the second factor. It replaces `provider`, `code`, `redirectUri` and `codeVerifier`.',
    }),
  ),
}

/** A provider's code, or the pending token of an earlier attempt. */
export const OauthRequest = Type.Unsafe<OauthCodeRequest | PendingRequest>(
  Body('ProviderLogin', oauthFields, {
    if: { required: ['pendingToken'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['twoFactorCode'], maxProperties: 2 },
    else: { required: ['provider', 'code', 'redirectUri', 'codeVerifier'] },
    examples: [
      {
        provider: 'google',
        code: '4/0AX4…',
        redirectUri: 'https://app.example.com/callback',
        codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  }),
)

const User = Type.Object({
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  twoFactorEnabled: Type.Boolean(),
  emailVerified: Type.Boolean({ description: 'Whether the user has proven to own the address.' }),
  createdAt: Timestamp,
})

const Team = Type.Object({
  id: Uuid,
  name: Type.String({ examples: ['Analytical Engines'] }),
  plan: TextEnum('free', 'pro', 'scale', 'enterprise'),
  createdAt: Timestamp,
})

export const Session = Resource('Session', {
  accessToken: Type.String({
    description: 'A JWT that expires after 15 minutes: `Authorization: Bearer <accessToken>`.',
  }),
  refreshToken: Type.String({
    description: 'Expires after 30 days and can be exchanged once. A login ends 90 days after it began.',
  }),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'Seconds until the access token expires.', examples: [900] }),
  user: User,
  team: Team,
})

export const PasswordWasReset = Resource('PasswordWasReset', { reset: Type.Literal(true) })

export const PasswordWasChanged = Resource('PasswordWasChanged', { changed: Type.Literal(true) })

export const EmailWasVerified = Resource('AddressWasVerified', { verified: Type.Literal(true) })

export const MailRequested = Resource('MailRequested', { sent: Type.Literal(true) })

export const LoggedOut = Resource('LoggedOut', { revoked: Type.Literal(true) })

export const Me = Resource('Me', {
  user: User,
  team: Team,
  role: TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer'),
})

/**
 * The answer to a request that opens or moves a session: tokens, or none for a browser session, which has its cookie.
 */
export const SessionOrMe = Type.Union([Session, Me], { title: 'SessionOrMe' })
