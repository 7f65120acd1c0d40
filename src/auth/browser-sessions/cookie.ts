import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../../context.ts'
import { refreshMs } from '../sessions/refresh-token.ts'

/** 256 bits in base64url. Longer texts are refused without hashing them. */
const form = /^[\w-]{43}$/

/**
 * Returns the token of our cookie. Null without one. `'malformed'` for a value that we cannot have set, and for two
 * cookies of our name: another server on this host may have set one of them.
 */
export function readSessionCookie(app: App, header: string | undefined): string | null {
  const [value, ...others] = readCookies(header, cookieOf(app).name)
  if (value === undefined) return null
  return others.length === 0 && form.test(value) ? value : 'malformed'
}

/** Returns the values of all cookies of a name. */
export function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** The header that gives the cookie to the browser, for 30 days. Sending it again starts them again. */
export function sessionCookie(app: App, token: string): string {
  return header(app, token, refreshMs / 1000)
}

/** Starts the 30 days of the browser's copy again. A page asks who is signed in each time it is loaded. */
export function renewSessionCookie(
  app: App,
  { isBrowser }: Caller,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  const token = isBrowser ? readSessionCookie(app, headers.cookie) : null
  if (token !== null) reply.header('Set-Cookie', sessionCookie(app, token))
}

/** The header that takes the cookie away. */
export function noSessionCookie(app: App): string {
  return header(app, '', 0)
}

function header(app: App, value: string, maxAgeSeconds: number): string {
  const { name, isSecure } = cookieOf(app)
  const attributes = [
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ]
  return [`${name}=${value}`, ...attributes].join('; ')
}

/**
 * Over http the name has the port, because cookies do not tell the ports of a host apart, and `__Host-` needs https.
 */
export function cookieOf(app: App, purpose = ''): { name: string; isSecure: boolean } {
  const { protocol, port } = new URL(app.publicUrl())
  const isSecure = protocol === 'https:'
  return { name: isSecure ? `__Host-posthorn${purpose}` : `posthorn${purpose}_${port || 80}`, isSecure }
}
