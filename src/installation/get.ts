import type { App } from '../context.ts'
import { submissionPorts } from '../smtp/submission/ports.ts'
import { version } from '../version.ts'

/** Says how this installation is set up, without secrets. */
export async function getInstallation(app: App) {
  const { emailProvider, smsProvider, whatsappProvider, paymentsProvider } = app.config
  const publicUrl = app.publicUrl()
  const { smtp, smtps } = submissionPorts(app)
  return {
    version,
    publicUrl,
    providers: { email: emailProvider, sms: smsProvider, whatsapp: whatsappProvider, payments: paymentsProvider },
    smtp: { host: new URL(publicUrl).hostname, port: smtp, tlsPort: smtps },
  }
}
