import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Everything that is signed or encrypted with APP_SECRET, each purpose with a key of its own. */
export type Keyring = {
  /** HMAC-SHA256 key objects by purpose. */
  key(purpose: string): KeyObject
  sign(purpose: string, text: string, lengthBytes?: number): Buffer
  verify(purpose: string, text: string, signature: Buffer): boolean
  /** AES-256-GCM, as `v1.<iv>.<tag>.<ciphertext>`; `purpose` is authenticated too, so a value cannot be moved elsewhere. */
  encrypt(purpose: string, text: string): string
  decrypt(purpose: string, sealed: string): string
}

export function createKeyring(appSecret: string): Keyring {
  const keys = new Map<string, KeyObject>()
  const key = (purpose: string): KeyObject => {
    const known = keys.get(purpose)
    if (known) return known
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', appSecret, 'posthorn', purpose, 32)))
    keys.set(purpose, made)
    return made
  }
  const sign = (purpose: string, text: string, lengthBytes = 32) =>
    createHmac('sha256', key(`sign:${purpose}`))
      .update(text)
      .digest()
      .subarray(0, lengthBytes)
  return {
    key,
    sign,
    verify: (purpose, text, signature) =>
      signature.length >= 16 && timingSafeEqual(sign(purpose, text, signature.length), signature),
    encrypt: (purpose, text) => encrypt(key(`encrypt:${purpose}`), purpose, text),
    decrypt: (purpose, sealed) => decrypt(key(`encrypt:${purpose}`), purpose, sealed),
  }
}

function encrypt(key: KeyObject, purpose: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return ['v1', ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
}

function decrypt(key: KeyObject, purpose: string, sealed: string): string {
  const [version, ...parts] = sealed.split('.')
  const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== 'v1' || !iv || !body || tag?.length !== 16) throw new Error('Not a value this version encrypted.')
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose)).setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
