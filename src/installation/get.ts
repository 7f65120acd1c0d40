import type { App, Caller } from '../context.ts'
import { countDiscardedJobs } from '../platform/jobs/list.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'
import { submissionPorts } from '../smtp/submission/ports.ts'
import { version } from '../version.ts'

/** More are of no use in a sentence. */
const discardedMax = 10_000

/** Says how this installation is set up, without secrets, and to the operator's team how many jobs were discarded. */
export async function getInstallation(app: App, { teamId }: Caller) {
  const { emailProvider, smsProvider, whatsappProvider, paymentsProvider, systemTeam } = app.config
  const isOperator = liveTeamOf(teamId) === systemTeam
  const publicUrl = app.publicUrl()
  const { smtp, smtps } = submissionPorts(app)
  return {
    version,
    publicUrl,
    providers: { email: emailProvider, sms: smsProvider, whatsapp: whatsappProvider, payments: paymentsProvider },
    smtp: { host: new URL(publicUrl).hostname, port: smtp, tlsPort: smtps },
    discardedJobs: isOperator ? await countDiscardedJobs(app.db, discardedMax) : null,
  }
}
