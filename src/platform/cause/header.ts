import type { Keyring } from '../keys/keyring.ts'
import type { Cause } from './cause.ts'

/** Names the execution that makes a request; only this installation can sign it. */
export const causeHeader = 'Posthorn-Execution'

const purpose = 'execution of a request'
const signatureBytes = 16

/** Writes the header: `<execution id>.<depth>.<signature>`, with a `t` after the depth for a test execution. */
export function writeCause(keyring: Keyring, { executionId, depth, mode }: Cause): string {
  const text = `${executionId}.${depth}${mode === 'test' ? 't' : ''}`
  return `${text}.${keyring.sign(purpose, text, signatureBytes).toString('base64url')}`
}

/** Reads the header. Null if it is missing or was not signed by this installation. */
export function readCause(keyring: Keyring, header: string | string[] | undefined): Cause | null {
  const [, text = '', executionId = '', depth, test, signature = ''] =
    /^(([0-9a-f-]{36})\.(\d{1,3})(t)?)\.([\w-]{22})$/.exec(String(header ?? '')) ?? []
  if (!keyring.verify(purpose, text, Buffer.from(signature, 'base64url'))) return null
  return { executionId, depth: Number(depth), mode: test ? 'test' : 'live' }
}
