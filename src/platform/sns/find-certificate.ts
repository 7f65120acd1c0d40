import { X509Certificate } from 'node:crypto'
import type { App } from '../../context.ts'
import { unauthenticated, unavailable } from '../errors.ts'
import { createLru } from '../lru.ts'
import { perApp } from '../per-app.ts'
import { askSns } from './ask.ts'
import { isCertificateUrl } from './url.ts'

/** Amazon signs with one certificate for each region and changes it about once a year. */
const certificatesMax = 40
/** The most fetches at a time, because anyone can make us request certificates that do not exist. */
const fetchesMax = 4

const certificatesOf = perApp(() => ({
  known: createLru<X509Certificate>({ countMax: certificatesMax }),
  fetching: new Map<string, Promise<X509Certificate>>(),
}))

/**
 * Fetches the certificate at an address of Amazon, once. It has no chain of issuers; it is trusted because of the host
 * that it was fetched from.
 */
export async function findCertificate(app: App, url: string, standIn: string | null): Promise<X509Certificate> {
  if (!isCertificateUrl(url, standIn))
    throw unauthenticated('SigningCertURL: must be the address of a certificate at sns.<region>.amazonaws.com.')
  const { known, fetching } = certificatesOf(app)
  const found = known.get(url) ?? fetching.get(url)
  if (found) return found
  if (fetching.size >= fetchesMax) throw unavailable('Too many certificates are being fetched. Try again shortly.')
  const fetched = fetchCertificate(app, url).finally(() => fetching.delete(url))
  fetching.set(url, fetched)
  known.set(url, await fetched)
  return fetched
}

async function fetchCertificate(app: App, url: string): Promise<X509Certificate> {
  const answer = await askSns(app, url)
  if (answer.kind !== 'answered' || answer.status >= 500)
    throw unavailable('The certificate of Amazon SNS cannot be fetched at the moment. Send the message again.')
  try {
    const certificate = answer.status === 200 ? new X509Certificate(answer.body) : null
    if (certificate?.publicKey.asymmetricKeyType === 'rsa') return certificate
  } catch {
    // It is not a certificate; the line below says so.
  }
  throw unauthenticated('SigningCertURL: there is no certificate of an RSA key.')
}
