import type { App, Caller } from '../../context.ts'
import { findTwoFactorSecrets } from '../../teams/two-factor.ts'

export async function getTwoFactorStatus(app: App, caller: Caller): Promise<{ enabled: boolean }> {
  const secrets = await findTwoFactorSecrets(app.db, caller.id)
  return { enabled: Boolean(secrets?.secret) }
}
