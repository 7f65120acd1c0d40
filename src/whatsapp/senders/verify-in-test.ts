import type { App } from '../../context.ts'
import { getSender } from './get.ts'

/**
 * Returns the sender as test mode uses it, which is active. Asks no provider and changes nothing. Throws `notFound`.
 */
export async function verifySenderInTest(app: App, teamId: string, id: string) {
  const sender = await getSender(app, teamId, id)
  return { ...sender, status: 'active' as const, rejectionReason: null }
}
