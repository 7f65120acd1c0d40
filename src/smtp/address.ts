import type { Config } from '../context.ts'

/** Returns the address that the SMTP ports listen on, and the variable that says so. */
export function smtpAddress({ smtpListen, host }: Pick<Config, 'smtpListen' | 'host'>) {
  return smtpListen === null ? { host, hostVariable: 'HOST' } : { host: smtpListen, hostVariable: 'SMTP_LISTEN' }
}
