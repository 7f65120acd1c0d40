import { uuidOfHex } from '../../../platform/ids.ts'
import type { Keyring } from '../../../platform/keys/keyring.ts'

type EmailRef = { teamId: string; emailId: string }

/** The message tag that every event of an email carries. */
export const tagName = 'posthorn'

/**
 * Names an email in the alphabet of message tags: letters, digits, `_` and `-`. The tag is signed, because other
 * senders that share the AWS account could otherwise claim an event for an email of ours.
 */
export function emailTag(keyring: Keyring, { teamId, emailId }: EmailRef): string {
  const ids = Buffer.from(`${teamId}${emailId}`.replaceAll('-', ''), 'hex')
  return Buffer.concat([ids, keyring.sign(purpose, ids.toString('hex'), signatureBytes)]).toString('base64url')
}

/** Reads a tag. Null if `emailTag` did not make it. */
export function readEmailTag(keyring: Keyring, tag: string): EmailRef | null {
  if (!/^[\w-]{64}$/.test(tag)) return null
  const bytes = Buffer.from(tag, 'base64url')
  const ids = bytes.subarray(0, 32).toString('hex')
  if (!keyring.verify(purpose, ids, bytes.subarray(32))) return null
  return { teamId: uuidOfHex(ids.slice(0, 32)), emailId: uuidOfHex(ids.slice(32)) }
}

const purpose = 'ses-tag'
const signatureBytes = 16
