import { base64SizeBytes, writeBase64 } from './base64.ts'
import { CR, LF, toCrlf } from './line-ends.ts'
import { isInnerBlank, isLiteral, isRiskyStart, quotedPrintableSizeMax, toQuotedPrintable } from './quoted-printable.ts'

/** What a part carries. Octets in base64 are encoded only when they are written into the message, the others are ready. */
export type Body = { encoding: '7bit' | 'quoted-printable' | 'base64'; octets: Buffer }

const lineLengthWanted = 78 // RFC 5322 2.1.1
const EQUALS = 0x3d

/**
 * A text as it will travel: as it is where it is ASCII in short lines that no relay has reason to touch, otherwise
 * quoted-printable, or base64 where that is shorter. Lone surrogates become U+FFFD.
 */
export function textBody(text: string): Body {
  const octets = Buffer.from(text, 'utf8')
  const { risks, equals, bareLineEnds, longestLine } = survey(octets)
  if (risks === 0 && longestLine <= lineLengthWanted) {
    return { encoding: '7bit', octets: bareLineEnds === 0 ? octets : toCrlf(octets) }
  }
  const escapes = risks + equals
  if (isBase64Shorter(octets.length, escapes)) return { encoding: 'base64', octets: toCrlf(octets) }
  const sizeMax = quotedPrintableSizeMax(octets.length, escapes, bareLineEnds)
  return { encoding: 'quoted-printable', octets: toQuotedPrintable(octets, sizeMax) }
}

/** The size in octets of the body as it will stand in the message. */
export function bodySizeBytes(body: Body): number {
  return body.encoding === 'base64' ? base64SizeBytes(body.octets) : body.octets.length
}

export function writeBody(body: Body, target: Buffer, offset: number): void {
  if (body.encoding === 'base64') writeBase64(body.octets, target, offset)
  else target.set(body.octets, offset)
}

type Survey = { risks: number; equals: number; bareLineEnds: number; longestLine: number }

/** `risks` counts what may not travel as it is; an `=` may, but quoted-printable has to escape it. */
function survey(octets: Buffer): Survey {
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

/** An escape adds two octets to one, base64 one to three; line breaks add about as much to either. */
function isBase64Shorter(sizeBytes: number, escapes: number): boolean {
  return escapes * 6 > sizeBytes
}
