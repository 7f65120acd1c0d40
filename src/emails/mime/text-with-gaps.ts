import { type Body, isBase64Shorter, surveyText } from './bodies.ts'
import { LF } from './line-ends.ts'
import { quotedPrintableSizeMax, toQuotedPrintable } from './quoted-printable.ts'

/** A text with gaps that is encoded except for them. `fill` takes a value for each gap; null if they are not suited. */
export type TextWithGaps = { fill(values: string[]): Body | null }

type Piece = { octets: Buffer; relaxed: Buffer }

/**
 * Longer texts and values, and texts with more gaps, are encoded with each message. So the encoded texts that are kept
 * stay small, and filling one is short work.
 */
const [lengthMax, gapsMax] = [128 * 1024, 1000]
const softBreak = Buffer.from('=\r\n')

/**
 * Encodes the stretches between the gaps as quoted-printable. A soft line break ends each stretch and each value within
 * a line, so that all begin at the start of a line, and no line depends on the length of a value. Null if the text is
 * not suited: it is too long, base64 is shorter, or a line end may lie across a stretch and a value.
 */
export function encodeWithGaps(stretches: string[]): TextWithGaps | null {
  const whole = Buffer.from(stretches.join(''))
  const { risks, equals } = surveyText(whole)
  if (whole.length > lengthMax || stretches.length > gapsMax || isBase64Shorter(whole.length, risks + equals))
    return null
  if (stretches.some(isCut)) return null
  const encoded = stretches.map(encode)
  return {
    fill(values) {
      if (values.some(isCut) || values.join('').length > lengthMax) return null
      const pieces = encoded.flatMap((piece, at) => (at === 0 ? [piece] : [encode(values[at - 1]!), piece]))
      return {
        encoding: 'quoted-printable',
        octets: joined(pieces.map(({ octets }) => octets)),
        relaxed: joined(pieces.map(({ relaxed }) => relaxed)),
      }
    },
  }
}

/** Tells whether a text may end inside of a CRLF. */
function isCut(text: string): boolean {
  return text.endsWith('\r')
}

function encode(text: string): Piece {
  const source = Buffer.from(text)
  const { length } = source
  const encoded = toQuotedPrintable(source, quotedPrintableSizeMax(length, length, length))
  const isWithinLine = length > 0 && encoded.at(-1) !== LF
  // Copies, so that the unused rest of the encoder's buffer is not kept.
  const octets = Buffer.concat(isWithinLine ? [encoded, softBreak] : [encoded])
  return { octets, relaxed: relaxed(octets) }
}

/** Returns the relaxed form (RFC 6376 3.4.4) of quoted-printable, which has no blanks before a line end. */
function relaxed(octets: Buffer): Buffer {
  const text = octets.toString('latin1')
  return /\t| {2}/.test(text) ? Buffer.from(text.replace(/[\t ]+/g, ' '), 'latin1') : octets
}

/** Joins the pieces, without a soft break at the end (RFC 2045 6.7). */
function joined(pieces: Buffer[]): Buffer {
  const octets = Buffer.concat(pieces)
  return octets.subarray(-softBreak.length).equals(softBreak) ? octets.subarray(0, -softBreak.length) : octets
}
