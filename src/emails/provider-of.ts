import type { App } from '../context.ts'
import { isTestTeam } from '../platform/mode.ts'
import type { EmailProvider } from './provider.ts'

/**
 * Returns the provider that takes the mail of a team: the configured one, or for the team of test keys one that
 * captures.
 */
export function emailProviderOf(app: App, teamId: string): EmailProvider {
  return isTestTeam(teamId) ? app.testEmailProvider : app.emailProvider
}
