import { uuidOfHex } from '../../platform/ids.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'

/** The content of a token. `url` is the target of a link; null for the image. */
type Tracked = { teamId: string; domainId: string; emailId: string; url: string | null }

/** `domainId` is null for links of earlier releases, which did not contain it. */
export type ReadTracked = Omit<Tracked, 'domainId'> & { domainId: string | null }

const kinds = { open: 0, click: 1 } as const
const uuidBytes = 16
const purpose = 'tracking'
const sealedVersion = 2
const signedVersion = 1
const signatureBytes = 16

/**
 * Returns the base64url of a version and the sealed kind, team, domain, email and URL. It cannot be read or changed, so
 * our links lead only to targets from our emails.
 */
export function trackingToken(keyring: Keyring, { teamId, domainId, emailId, url }: Tracked): string {
  const kind = url === null ? kinds.open : kinds.click
  const ids = [teamId, domainId, emailId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))
  const content = Buffer.concat([Buffer.from([kind]), ...ids, Buffer.from(url ?? '', 'latin1')])
  return Buffer.concat([Buffer.from([sealedVersion]), keyring.sealLink(purpose, content)]).toString('base64url')
}

/** Reads a token. Null if it is not exactly a token that we made. */
export function readTrackingToken(keyring: Keyring, token: string): ReadTracked | null {
  const bytes = Buffer.from(token, 'base64url')
  // The decoder ignores characters that are not base64, so the text is compared with the one correct form.
  if (bytes.toString('base64url') !== token) return null
  if (bytes[0] === signedVersion) return readSigned(keyring, bytes)
  const content = bytes[0] === sealedVersion ? keyring.unsealLink(purpose, bytes.subarray(1)) : null
  if (!content || content.length < 1 + 3 * uuidBytes) return null
  const [teamId, domainId, emailId] = [0, 1, 2].map((at) => uuidAt(content, 1 + at * uuidBytes))
  const url = content[0] === kinds.click ? content.toString('latin1', 1 + 3 * uuidBytes) : null
  return { teamId: teamId!, domainId: domainId!, emailId: emailId!, url }
}

/** Reads a link of the format before links were sealed: version, kind, team, email, URL, and a signature over them. */
function readSigned(keyring: Keyring, bytes: Buffer): ReadTracked | null {
  const headBytes = 2 + 2 * uuidBytes
  if (bytes.length < headBytes + signatureBytes) return null
  const content = bytes.subarray(0, -signatureBytes)
  if (!keyring.verify(purpose, content.toString('base64url'), bytes.subarray(-signatureBytes))) return null
  const url = content[1] === kinds.click ? content.toString('latin1', headBytes) : null
  return { teamId: uuidAt(content, 2), domainId: null, emailId: uuidAt(content, 2 + uuidBytes), url }
}

function uuidAt(bytes: Buffer, start: number): string {
  return uuidOfHex(bytes.toString('hex', start, start + uuidBytes))
}
