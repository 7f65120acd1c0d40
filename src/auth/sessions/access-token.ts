import type { KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { App } from '../../context.ts'
import { isUuid } from '../../platform/ids.ts'

/** Access tokens expire after 15 minutes. */
export const accessSeconds = 15 * 60

export type AccessClaims = { userId: string; teamId: string; loginId: string }

const algorithm = 'HS256'
const issuer = 'posthorn'
const audience = 'posthorn-api'
// RFC 9068, section 2.1: the type keeps JWTs of other purposes from passing as access tokens.
const type = 'at+jwt'

export function issueAccessToken(app: App, { userId, teamId, loginId }: AccessClaims): Promise<string> {
  const issuedAt = app.clock.now()
  return (
    new SignJWT({ team: teamId, sid: loginId })
      .setProtectedHeader({ alg: algorithm, typ: type })
      .setSubject(userId)
      // Makes tokens that are issued within the same second differ.
      .setJti(app.newId())
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(new Date(issuedAt.getTime() + accessSeconds * 1000))
      .sign(app.keyring.key('jwt'))
  )
}

/** Reads the claims of an access token. Null if this server did not sign it or it has expired. */
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
    return isUuid(sub) && isUuid(team) && isUuid(sid) ? { userId: sub, teamId: team, loginId: sid } : null
  } catch {
    // The caller gets the same answer for every fault.
    return null
  }
}
