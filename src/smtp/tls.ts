import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { App, Config } from '../context.ts'
import { ensureDataFolder } from '../platform/data-folder.ts'
import { refuseVariable } from '../platform/environment/read.ts'
import { writeOnce } from '../platform/keys/secrets.ts'
import { selfSigned } from './self-signed.ts'

type Log = Pick<App['log'], 'info' | 'warn'>

/** Returns the certificate for the next handshake. */
export type ServerTls = () => SecureContext

/**
 * Returns the operator's certificate, or one created at the first start. Reads changed files again for the next
 * handshake; logs a pair that cannot be used and keeps the previous one. Throws `ConfigError` if the first cannot be
 * used.
 */
export function serverTls(config: Config, log: Log, name: string): ServerTls {
  const given = givenFiles(config)
  if (given) return givenTls(given, log)
  const own = ownContext(config.dataDir, name)
  return () => own
}

/** Throws `ConfigError` if the operator's certificate and key cannot be used. */
export function refuseBadCertificate(config: Config): void {
  const given = givenFiles(config)
  if (given) givenContext(given)
}

/**
 * Says in one line that the operator's certificate is not valid at this time; null if it is. Clients then refuse the
 * SMTP ports.
 */
export function certificateWarning(config: Config, now: Date): string | null {
  const { smtpTlsCert } = config
  if (smtpTlsCert === null || !config.roles.includes('smtp')) return null
  const { validFrom, validTo } = new X509Certificate(readPem('SMTP_TLS_CERT', smtpTlsCert))
  const [from, to] = [new Date(validFrom), new Date(validTo)]
  if (now > to) return `SMTP_TLS_CERT holds a certificate that expired on ${to.toISOString()}: most clients refuse it.`
  if (now < from)
    return `SMTP_TLS_CERT holds a certificate that is valid from ${from.toISOString()} only: most clients refuse it.`
  return null
}

type Files = { cert: string; key: string }

/** The files that the settings name, or null if they name none. */
function givenFiles({ smtpTlsCert: cert, smtpTlsKey: key }: Config): Files | null {
  if (cert === null && key === null) return null
  if (cert === null) return refuseVariable('SMTP_TLS_CERT', 'a PEM file, with SMTP_TLS_KEY', undefined)
  if (key === null) return refuseVariable('SMTP_TLS_KEY', 'a PEM file, with SMTP_TLS_CERT', undefined)
  return { cert, key }
}

function givenTls(files: Files, log: Log): ServerTls {
  const stamp = () => `${stampOf(files.cert)} ${stampOf(files.key)}`
  let readAs = stamp()
  let context = givenContext(files)
  return () => {
    const now = stamp()
    if (now === readAs) return context
    readAs = now
    try {
      context = givenContext(files)
      log.info({ cert: files.cert }, 'the certificate of the SMTP ports was read again')
    } catch (error) {
      log.warn({ err: error }, 'the new certificate of the SMTP ports cannot be used; the one before it stays')
    }
    return context
  }
}

/** Returns a value that differs after a file was written or replaced. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : 'none'
}

function givenContext({ cert: certPath, key: keyPath }: Files): SecureContext {
  const cert = readPem('SMTP_TLS_CERT', certPath)
  const key = readPem('SMTP_TLS_KEY', keyPath)
  if (!succeeds(() => createSecureContext({ cert }))) {
    refuseVariable('SMTP_TLS_CERT', 'a PEM file with a certificate and those that lead to its issuer', certPath)
  }
  if (!succeeds(() => createPrivateKey(key))) {
    refuseVariable('SMTP_TLS_KEY', 'a PEM file with a private key that needs no password', keyPath)
  }
  try {
    return createSecureContext({ cert, key })
  } catch {
    return refuseVariable('SMTP_TLS_KEY', 'the key of the certificate in SMTP_TLS_CERT', keyPath)
  }
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    return refuseVariable(variable, `a file this process can read (${(error as NodeJS.ErrnoException).code})`, path)
  }
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

function ownContext(dataDir: string, name: string): SecureContext {
  ensureDataFolder(dataDir)
  const pem = writeOnce(join(dataDir, 'smtp-tls.pem'), () => selfSigned([...new Set([name, 'localhost'])]))
  return createSecureContext({ cert: pem, key: pem })
}
