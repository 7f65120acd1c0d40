import type { App } from '../context.ts'
import { isTestTeam } from '../platform/mode.ts'
import type { SmsProvider } from './provider.ts'

/**
 * Returns the provider that takes the messages of a team: the configured one, or for the team of test keys one that
 * captures.
 */
export function smsProviderOf(app: App, teamId: string): SmsProvider {
  return isTestTeam(teamId) ? app.testSmsProvider : app.smsProvider
}
