import { TOTP } from 'otpauth'
import { type Api, ok, type TestApp } from './app.ts'

/** The password of all people of tests. */
export const password = 'a long and winding road'

/** Counted for all apps of the process, as some share a database. */
let people = 0

/** Signs up a new person, who gets a team. `given` replaces fields of the request, and adds others. */
export async function signUp(
  { anyone, as }: Pick<TestApp, 'anyone' | 'as'>,
  given: { email?: string; [field: string]: string | undefined } = {},
  headers: Record<string, string> = {},
) {
  const fields = { email: `person${++people}@example.com`, password, ...given }
  const { user, team, accessToken, refreshToken } = await ok(anyone.post('/auth/signup', fields, headers))
  return { user, team, accessToken, refreshToken, email: fields.email, api: as(accessToken) }
}

export type Person = Awaited<ReturnType<typeof signUp>>

const stepMs = 30_000

/** Turns two-factor on. `code` makes the code of now, or of a time step later. The clock moves past the first code. */
export async function turnOnTwoFactor({ clock }: Pick<TestApp, 'clock'>, api: Api) {
  const authenticator = new TOTP({ secret: (await ok(api.post('/auth/2fa/setup'))).secret })
  const code = (steps = 0) => authenticator.generate({ timestamp: clock.now().getTime() + steps * stepMs })
  const { recoveryCodes } = await ok(api.post('/auth/2fa/verify', { code: code() }))
  clock.advance(5 * stepMs)
  return { code, recoveryCodes: recoveryCodes as string[] }
}
