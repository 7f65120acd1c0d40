import { uuidOfHex } from '../../platform/ids.ts'
import type { Keyring } from '../../platform/keyring.ts'

/** What a tracked address tells: an email was opened, or one of its links, `url`, was followed. */
export type Tracked = { teamId: string; emailId: string; url: string | null }

const version = 1
const kinds = { open: 0, click: 1 } as const
const uuidBytes = 16
const headBytes = 2 + 2 * uuidBytes
const signatureBytes = 16
const purpose = 'tracking'

/** Base64url of version, kind, team, email, URL and signature. Signed, so that no link of ours leads where nobody's mail did. */
export function trackingToken(keyring: Keyring, { teamId, emailId, url }: Tracked): string {
  const kind = url === null ? kinds.open : kinds.click
  const content = Buffer.concat([
    Buffer.from([version, kind]),
    uuidToBytes(teamId),
    uuidToBytes(emailId),
    Buffer.from(url ?? '', 'latin1'),
  ])
  return Buffer.concat([content, signatureOf(keyring, content)]).toString('base64url')
}

/** Null for everything that `trackingToken` did not make, to the letter. */
export function readTrackingToken(keyring: Keyring, token: string): Tracked | null {
  const bytes = Buffer.from(token, 'base64url')
  // The decoder passes over what is no base64: only the one way to write a token is good.
  if (bytes.length < headBytes + signatureBytes || bytes.toString('base64url') !== token) return null
  const content = bytes.subarray(0, -signatureBytes)
  if (!keyring.verify(purpose, content.toString('base64url'), bytes.subarray(-signatureBytes))) return null
  if (content[0] !== version) return null
  return {
    teamId: bytesToUuid(content.subarray(2, 2 + uuidBytes)),
    emailId: bytesToUuid(content.subarray(2 + uuidBytes, headBytes)),
    url: content[1] === kinds.click ? content.toString('latin1', headBytes) : null,
  }
}

function signatureOf(keyring: Keyring, content: Buffer): Buffer {
  return keyring.sign(purpose, content.toString('base64url'), signatureBytes)
}

function uuidToBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function bytesToUuid(bytes: Buffer): string {
  return uuidOfHex(bytes.toString('hex'))
}
