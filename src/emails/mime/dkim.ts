import assert from 'node:assert/strict'
import { type KeyObject, sign } from 'node:crypto'
import { CR, LF, toCrlf } from './line-ends.ts'
import { relaxedBodyHash, relaxedField } from './relaxed.ts'

type DkimKey = { domainName: string; selector: string; privateKey: KeyObject }

/** The fields of RFC 6376 5.4.1, RFC 8058 4, MIME and Gmail's feedback loop, in the order in which they are signed. */
const signedNames = (
  'from reply-to subject to cc date message-id mime-version content-type content-transfer-encoding ' +
  'list-id list-unsubscribe list-unsubscribe-post feedback-id in-reply-to references'
).split(' ')
/** Named once more than they occur, so that a field added in transit breaks the signature (RFC 6376 8.15). */
const oversigned = new Set(['from', 'reply-to', 'subject', 'to', 'cc'])
const lineLength = 76

/**
 * Returns the message with one DKIM-Signature (rsa-sha256, relaxed/relaxed) for each key on top, the first key's first.
 * Accepts any message; bare CRs and LFs become CRLF, as SMTP requires. RSA runs on the thread pool.
 * Does not sign the fields named in `unsigned` (in lower case), which a relay rewrites. Throws an assertion if a key is
 * not RSA, or if a domain or selector is not a valid name.
 */
export async function signMessage(
  raw: Buffer,
  keys: DkimKey[],
  at: Date,
  unsigned: readonly string[] = [],
): Promise<Buffer> {
  const message = withSeparator(toCrlf(raw))
  const bodyHash = await relaxedBodyHash(message.subarray(endOfHeader(message) + 2))
  return signComposed(message, bodyHash, keys, at, unsigned)
}

/**
 * Signs as `signMessage` does, but leaves the line ends as they are, as in a message of the composer. `bodyHash` is the
 * hash of its relaxed body.
 */
export async function signComposed(
  message: Buffer,
  bodyHash: string,
  keys: DkimKey[],
  at: Date,
  unsigned: readonly string[],
): Promise<Buffer> {
  const { names, fields } = signedFields(message.toString('latin1', 0, endOfHeader(message)), unsigned)
  const signatures = await Promise.all(
    keys.map(async (key) => {
      const field = signatureField(key, names, bodyHash, at)
      const signature = await signRsa(`${fields}${relaxedField(field)}`, key.privateKey)
      return Buffer.from(`${field}${wrapped(signature)}\r\n`, 'latin1')
    }),
  )
  return Buffer.concat([...signatures, message])
}

/** Adds the empty line after the header if a message without a body lacks it. */
function withSeparator(message: Buffer): Buffer {
  if (endOfHeader(message) !== -1) return message
  const ended = message.length === 0 || message.at(-1) === LF
  return Buffer.concat([message, Buffer.from(ended ? '\r\n' : '\r\n\r\n')])
}

/** Returns the offset of the empty line between header and body; -1 if there is none. */
function endOfHeader(message: Buffer): number {
  if (message[0] === CR) return 0
  const end = message.indexOf('\r\n\r\n')
  return end === -1 ? -1 : end + 2
}

/**
 * Returns the fields to sign in relaxed form, and their names for `h=`; repeated fields from the last up (RFC 6376
 * 5.4.2).
 */
function signedFields(header: string, unsigned: readonly string[]): { names: string[]; fields: string } {
  const found = new Map<string, string[]>(
    signedNames.filter((name) => !unsigned.includes(name)).map((name) => [name, []]),
  )
  for (const field of header.split(/\r\n(?![ \t])/)) {
    if (!field.includes(':')) continue
    const relaxed = relaxedField(field)
    found.get(relaxed.slice(0, relaxed.indexOf(':')))?.push(`${relaxed}\r\n`)
  }
  const names: string[] = []
  let fields = ''
  for (const [name, instances] of found) {
    for (const instance of instances.reverse()) {
      names.push(name)
      fields += instance
    }
    if (oversigned.has(name)) names.push(name)
  }
  return { names, fields }
}

/** Returns the signature's field up to the value of `b=`. It is signed last. */
function signatureField(key: DkimKey, names: string[], bodyHash: string, at: Date): string {
  assert(
    /^[\w.-]+$/.test(key.domainName) && /^[\w.-]+$/.test(key.selector),
    'DKIM: the domain or selector is not a valid name',
  )
  const lines = [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    `d=${key.domainName}; s=${key.selector}; t=${Math.floor(at.getTime() / 1000)};`,
    `h=${nameLines(names)};`,
    `bh=${bodyHash};`,
    'b=',
  ]
  return lines.join('\r\n ')
}

function nameLines(names: string[]): string {
  let lines = ''
  let length = 'h='.length
  for (const [index, name] of names.entries()) {
    const separator = index === 0 ? '' : length + name.length + 2 > lineLength ? ':\r\n ' : ':'
    length = separator.length > 1 ? 0 : length
    lines += separator + name
    length += name.length + 1
  }
  return lines
}

/** Signs on the thread pool, because a signature takes about 200 µs. */
function signRsa(text: string, privateKey: KeyObject): Promise<string> {
  assert(privateKey.asymmetricKeyType === 'rsa', 'DKIM: the key is not RSA')
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text, 'latin1'), privateKey, (error, signature) => {
      if (error) reject(error)
      else resolve(signature.toString('base64'))
    })
  })
}

function wrapped(signature: string): string {
  return (signature.match(/.{1,72}/g) ?? []).join('\r\n ')
}
