import { createHash, generateKeyPairSync, sign } from 'node:crypto'

/**
 * Returns a self-signed certificate with its key, as PEM, for clients that are configured to trust it. It does not
 * expire (RFC 5280 4.1.2.5), because renewal does not make a directly trusted certificate safer. Tests change `until`.
 */
export function selfSigned(names: string[], until = '99991231235959Z'): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const name = sequence(encode(SET, sequence(commonName, encode(UTF8_STRING, Buffer.from(names[0]!)))))
  const validity = sequence(time('20200101000000Z'), time(until))
  const serial = Buffer.concat([Buffer.of(1), createHash('sha256').update(subjectKey).digest().subarray(0, 15)])
  const alternatives = names.map((name) => encode(DNS_NAME, Buffer.from(name)))
  const extension = sequence(subjectAltName, encode(OCTET_STRING, sequence(...alternatives)))
  const body = sequence(
    encode(0xa0, encode(INTEGER, Buffer.of(2))), // version 3
    encode(INTEGER, serial),
    sequence(ecdsaWithSha256),
    ...[name, validity, name, subjectKey],
    encode(0xa3, sequence(extension)),
  )
  const signature = encode(BIT_STRING, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const certificate = sequence(body, sequence(ecdsaWithSha256), signature)
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return `${key}-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** X.690 tags. */
const [INTEGER, BIT_STRING, OCTET_STRING, UTF8_STRING] = [0x02, 0x03, 0x04, 0x0c] as const
const [GENERALIZED_TIME, SEQUENCE, SET, DNS_NAME] = [0x18, 0x30, 0x31, 0x82] as const
/** Encoded object identifiers. */
const commonName = Buffer.from('0603550403', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return encode(SEQUENCE, Buffer.concat(parts))
}

function time(text: string): Buffer {
  return encode(GENERALIZED_TIME, Buffer.from(text))
}
