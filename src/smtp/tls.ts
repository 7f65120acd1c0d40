import { createPrivateKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Config } from '../config.ts'
import type { App } from '../context.ts'
import { ensureDataFolder } from '../platform/data-folder.ts'
import { refuseVariable } from '../platform/environment/read.ts'
import { writeOnce } from '../platform/secrets.ts'
import { selfSigned } from './self-signed.ts'

type Log = Pick<App['log'], 'info' | 'warn'>

/** Returns the certificate for the next handshake. */
export type ServerTls = () => SecureContext

/**
 * Returns the operator's certificate, or one created at the first start. Reads changed files again for the next handshake;
 * logs a pair that cannot be used and keeps the previous one. Throws `ConfigError` if the first cannot be used.
 */
export function serverTls(config: Config, log: Log, name: string): ServerTls {
  const { smtpTlsCert, smtpTlsKey } = config
  if (smtpTlsCert === null && smtpTlsKey === null) {
    const own = ownContext(config.dataDir, name)
    return () => own
  }
  if (smtpTlsCert === null) return refuseVariable('SMTP_TLS_CERT', 'a PEM file, with SMTP_TLS_KEY', undefined)
  if (smtpTlsKey === null) return refuseVariable('SMTP_TLS_KEY', 'a PEM file, with SMTP_TLS_CERT', undefined)
  return givenTls(smtpTlsCert, smtpTlsKey, log)
}

function givenTls(certPath: string, keyPath: string, log: Log): ServerTls {
  const stamp = () => `${stampOf(certPath)} ${stampOf(keyPath)}`
  let readAs = stamp()
  let context = givenContext(certPath, keyPath)
  return () => {
    const now = stamp()
    if (now === readAs) return context
    readAs = now
    try {
      context = givenContext(certPath, keyPath)
      log.info({ cert: certPath }, 'the certificate of the SMTP ports was read again')
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

function givenContext(certPath: string, keyPath: string): SecureContext {
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
