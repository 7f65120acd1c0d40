import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../platform/data-folder.ts'
import { refuseVariable } from '../platform/environment/read.ts'
import { writeOnce } from '../platform/secrets.ts'
import { selfSigned } from './self-signed.ts'

/** What this server proves itself with: the operator's certificate, or one made at the first start. Throws `ConfigError`. */
export function serverTls(config: Config, name: string): SecureContext {
  const { smtpTlsCert, smtpTlsKey } = config
  if (smtpTlsCert === null && smtpTlsKey === null) return ownContext(config.dataDir, name)
  if (smtpTlsCert === null) return refuseVariable('SMTP_TLS_CERT', 'a PEM file, with SMTP_TLS_KEY', undefined)
  if (smtpTlsKey === null) return refuseVariable('SMTP_TLS_KEY', 'a PEM file, with SMTP_TLS_CERT', undefined)
  return givenContext(smtpTlsCert, smtpTlsKey)
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
