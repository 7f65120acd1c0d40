import { isUtf8 } from 'node:buffer'
import { promisify, TextDecoder } from 'node:util'
import zlib from 'node:zlib'
import type { Answered } from '../../platform/egress/exchange.ts'
import { DomainError } from '../../platform/errors.ts'

/** The size of an answer's body, decoded. */
export const answerMaxBytes = 1024 * 1024

type Options = { maxOutputLength: number }
type Decode = (bytes: Buffer, options: Options) => Promise<Buffer>

const inflate: Decode = promisify(zlib.inflate)
const inflateRaw: Decode = promisify(zlib.inflateRaw)
const gunzip: Decode = promisify(zlib.gunzip)
const decoders: Record<string, Decode> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // RFC 9110, 8.4.1.2: some servers leave out the header of zlib.
  deflate: (bytes, options) => (isZlib(bytes) ? inflate : inflateRaw)(bytes, options),
  br: promisify(zlib.brotliDecompress),
}
/** Our own limit. Servers apply one, and each more could grow by the whole limit. */
const codingsMax = 3

/** Reads the body of an answer as text. Throws `tooLarge`, and `invalid` for a body that cannot be read. */
export async function readAnswerText({ headers, body }: Pick<Answered, 'headers' | 'body'>): Promise<string> {
  if (body.length === 0) return ''
  return textOf(await decoded(body, headers['content-encoding'] ?? ''), headers['content-type'] ?? '')
}

/** Undoes the content codings, the last first (RFC 9110, 8.4). */
async function decoded(body: Buffer, contentEncoding: string): Promise<Buffer> {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase())
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity')
  if (applied.length > codingsMax) throw unreadable(`has more than ${codingsMax} content codings`)
  let bytes = body
  for (const coding of applied.reverse()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding]! : null
    if (!decode)
      throw unreadable(`has the content coding ${shown(coding)}, and only gzip, deflate, br and identity can be read`)
    bytes = await decode(bytes, { maxOutputLength: answerMaxBytes }).catch((error: { code?: string }) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE'
        ? answerTooLarge()
        : unreadable(`is not ${shown(coding)}, as its header says`)
    })
  }
  return bytes
}

/** RFC 1950, 2.2. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

/**
 * Decodes text by its byte order mark, or else by its charset, or else as UTF-8. Other bytes than the charset has
 * become U+FFFD.
 */
function textOf(bytes: Buffer, contentType: string): string {
  const marked = marks.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark))
  if (marked) return new TextDecoder(marked.charset).decode(bytes)
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(contentType) ?? []
  const charset = (quoted ?? plain ?? 'utf-8').replace(/^'(.*)'$/, '$1')
  const decoder = decoderOf(charset)
  if (!decoder && !isUtf8(bytes)) throw unreadable(`has the charset ${shown(charset)}, which is not known here`)
  return (decoder ?? new TextDecoder()).decode(bytes)
}

const marks = [
  { charset: 'utf-8', mark: Buffer.of(0xef, 0xbb, 0xbf) },
  { charset: 'utf-16le', mark: Buffer.of(0xff, 0xfe) },
  { charset: 'utf-16be', mark: Buffer.of(0xfe, 0xff) },
]

/** Null for a charset that the Encoding Standard does not name. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}

function shown(word: string): string {
  return JSON.stringify(word.slice(0, 50))
}

export function answerTooLarge(): DomainError {
  return new DomainError('tooLarge', 'The body of the answer is larger than 1 MiB.')
}

/** The request has arrived, so it is not repeated. */
function unreadable(what: string): DomainError {
  return new DomainError('invalid', `The body of the answer ${what}.`)
}
