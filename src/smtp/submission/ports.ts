import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'

type Ports = { smtp: number | null; smtps: number | null }

const openedPorts = perApp((): Ports => ({ smtp: null, smtps: null }))

export function noteOpenedPort(app: App, name: keyof Ports, port: number | undefined): void {
  openedPorts(app)[name] = port ?? null
}

/**
 * Returns the ports of submission as mail programs reach them: as told by the operator, or else those opened here, or
 * else as configured; null for those that are off.
 */
export function submissionPorts(app: App): Ports {
  const { smtp, smtps } = openedPorts(app)
  const { smtpPort, smtpsPort, publicSmtpPort, publicSmtpsPort } = app.config
  return {
    smtp: publicSmtpPort === null ? (smtp ?? configured(smtpPort)) : configured(publicSmtpPort),
    smtps: publicSmtpsPort === null ? (smtps ?? configured(smtpsPort)) : configured(publicSmtpsPort),
  }
}

/** 0 asks for any free port, which another process knows. */
function configured(port: number | 'off'): number | null {
  return port === 'off' || port === 0 ? null : port
}
