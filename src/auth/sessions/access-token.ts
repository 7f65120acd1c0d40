import type { KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { App } from '../../context.ts'
import { isUuid } from '../../platform/ids.ts'

/** Decided: access tokens live 15 minutes. */
export const accessSeconds = 15 * 60

/** What an access token says: the user, acting for the team, signed in by the login of this token family. */
export type AccessClaims = { userId: string; teamId: string; familyId: string }

const algorithm = 'HS256'
const issuer = 'posthorn'
const audience = 'posthorn-api'
// RFC 9068, section 2.1: so that no other kind of JWT, signed for another purpose, passes for an access token.
const type = 'at+jwt'

export function issueAccessToken(app: App, { userId, teamId, familyId }: AccessClaims): Promise<string> {
  const issuedAt = app.clock.now()
  return (
    new SignJWT({ team: teamId, sid: familyId })
      .setProtectedHeader({ alg: algorithm, typ: type })
      .setSubject(userId)
      // Tokens of one second differ too.
      .setJti(app.newId())
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(new Date(issuedAt.getTime() + accessSeconds * 1000))
      .sign(app.keyring.key('jwt'))
  )
}

/** The claims of a token this server signed and that has not expired; null for anything else. */
export async function readAccessToken(app: App, token: string): Promise<AccessClaims | null> {
  for (const key of app.keyring.keys('jwt')) {
    const claims = await readWith(app, key, token)
    if (claims) return claims
  }
  return null
}

async function readWith(app: App, key: KeyObject, token: string): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: type,
      currentDate: app.clock.now(),
      requiredClaims: ['sub', 'exp', 'iat', 'team', 'sid'],
    })
    const { sub, team, sid } = payload
    return isUuid(sub) && isUuid(team) && isUuid(sid) ? { userId: sub, teamId: team, familyId: sid } : null
  } catch {
    // Whatever is wrong with it, the bearer is told the same.
    return null
  }
}
