import { base64SizeBytes, writeBase64 } from './base64.ts'
import { CR, LF, toCrlf } from './line-ends.ts'
import { isInnerBlank, isLiteral, isRiskyStart, quotedPrintableSizeMax, toQuotedPrintable } from './quoted-printable.ts'

/**
 * The body of a part. Base64 is encoded only when it is written into the message; other encodings are already applied.
 * `relaxed` is the relaxed form of `octets` (RFC 6376 3.4.4) if it is known, with all lines at the end.
 */
export type Body = { encoding: '7bit' | 'quoted-printable' | 'base64'; octets: Buffer; relaxed?: Buffer }

const lineLengthWanted = 78 // RFC 5322 2.1.1
const EQUALS = 0x3d

/**
 * Encodes a text: as 7bit if it is ASCII in short lines that relays leave unchanged, otherwise as quoted-printable, or
 * as base64 if that is shorter. Lone surrogates become U+FFFD.
 */
export function textBody(text: string): Body {
  const octets = Buffer.from(text, 'utf8')
  const { risks, equals, bareLineEnds, longestLine } = surveyText(octets)
  if (risks === 0 && longestLine <= lineLengthWanted) {
    return { encoding: '7bit', octets: bareLineEnds === 0 ? octets : toCrlf(octets) }
  }
  const escapes = risks + equals
  if (isBase64Shorter(octets.length, escapes)) return { encoding: 'base64', octets: toCrlf(octets) }
  const sizeMax = quotedPrintableSizeMax(octets.length, escapes, bareLineEnds)
  return { encoding: 'quoted-printable', octets: toQuotedPrintable(octets, sizeMax) }
}

/** Returns the size of a body as the message holds it, which is encoded. */
export function bodySizeBytes(body: Body): number {
  return body.encoding === 'base64' ? base64SizeBytes(body.octets) : body.octets.length
}

export function writeBody(body: Body, target: Buffer, offset: number): void {
  if (body.encoding === 'base64') writeBase64(body.octets, target, offset)
  else target.set(body.octets, offset)
}

type Survey = { risks: number; equals: number; bareLineEnds: number; longestLine: number }

/** Counts the octets that 7bit may not carry (`risks`), and each `=`, which only quoted-printable has to escape. */
export function surveyText(octets: Buffer): Survey {
  const found: Survey = { risks: 0, equals: 0, bareLineEnds: 0, longestLine: 0 }
  const length = octets.length
  let lineStart = 0
  for (let i = 0; i < length; i++) {
    const octet = octets[i]!
    if (isLiteral(octet)) {
      if (i === lineStart && isRiskyStart(octets, i)) found.risks++
    } else if (octet === LF || octet === CR) {
      found.longestLine = Math.max(found.longestLine, i - lineStart)
      if (octet === CR && i + 1 < length && octets[i + 1] === LF) i++
      else found.bareLineEnds++
      lineStart = i + 1
    } else if (octet === EQUALS) found.equals++
    else if (!isInnerBlank(octets, i)) found.risks++
  }
  found.longestLine = Math.max(found.longestLine, length - lineStart)
  return found
}

/**
 * Compares the sizes: an escape adds two octets to one, base64 adds one to three. Line breaks cost both about the same.
 */
export function isBase64Shorter(sizeBytes: number, escapes: number): boolean {
  return escapes * 6 > sizeBytes
}
