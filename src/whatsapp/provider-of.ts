import type { App } from '../context.ts'
import { isTestTeam } from '../platform/mode.ts'
import type { WhatsappProvider } from './provider.ts'

/**
 * Returns the provider that takes the messages of a team: the configured one, or for the team of test keys one that
 * captures.
 */
export function whatsappProviderOf(app: App, teamId: string): WhatsappProvider {
  return isTestTeam(teamId) ? app.testWhatsappProvider : app.whatsappProvider
}
