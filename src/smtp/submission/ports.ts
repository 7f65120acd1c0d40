import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'

type Ports = { smtp: number | null; smtps: number | null }

/** The ports that this process has opened. */
const openedPorts = perApp((): Ports => ({ smtp: null, smtps: null }))

export function noteOpenedPort(app: App, name: keyof Ports, port: number | undefined): void {
  openedPorts(app)[name] = port ?? null
}

/** Returns the ports of submission: those opened here, or else as configured; null for those that are off. */
export function submissionPorts(app: App): Ports {
  const { smtp, smtps } = openedPorts(app)
  const { smtpPort, smtpsPort } = app.config
  return { smtp: smtp ?? configured(smtpPort), smtps: smtps ?? configured(smtpsPort) }
}

/** 0 asks for any free port, which another process knows. */
function configured(port: number | 'off'): number | null {
  return port === 'off' || port === 0 ? null : port
}
