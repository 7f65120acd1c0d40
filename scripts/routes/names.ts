import type { Route } from '../../src/platform/http/route.ts'

/**
 * Returns the method of a route in the SDK. `POST /v1/sms/senders/:id/verify` is `sms.senders.verify`, and a route of a
 * list or of a thing is called by the verb of its operation: `sendSms` is `sms.send`. A route of another form says its
 * method itself.
 */
export function methodOf({ sdk, path, operationId }: Route): string {
  if (sdk) return sdk
  const [, group, action] = /^\/v1\/([a-z/-]+?)(?:\/:id(?:\/([a-z-]+))?)?$/.exec(path) ?? []
  const verb = /^[a-z]+/.exec(operationId ?? '')?.[0]
  if (!group || !verb) throw new Error(`${operationId}: say \`sdk\` in its route, the method that calls it.`)
  return `${camel(group.replaceAll('/', '.'))}.${action ? camel(action) : verb}`
}

/** Groups of methods whose commands have a shorter name. */
const shorter = { 'api-keys ': 'keys ', 'whatsapp messages ': 'whatsapp ' }

/** Returns the command of a route, such as `sms senders verify`. Null if it has none. */
export function commandOf(route: Route): string | null {
  if (route.command !== undefined) return route.command
  const words = `${methodOf(route).replaceAll(/[A-Z]/g, '-$&').toLowerCase().replaceAll('.', ' ')}`
  const [long, short] = Object.entries(shorter).find(([from]) => words.startsWith(from)) ?? ['', '']
  return short + words.slice(long.length)
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
