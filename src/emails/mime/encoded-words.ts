/** The length limit of an encoded word, including its delimiters (RFC 2047 2). */
export const encodedWordLengthMax = 75
const wrappingLength = '=?UTF-8?Q??='.length

/** The text of each octet in a Q word. Escapes all characters that a display name does not allow (RFC 2047 5 (3)). */
const qWords = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (/[A-Za-z0-9!*+/-]/.test(character)) return character
  return octet === 0x20 ? '_' : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
})

/**
 * Encodes a text as RFC 2047 encoded words, split between characters: Q or B, whichever is shorter. `firstLengthMax`
 * bounds the first word, whose line has other text before it; at least 24, for the delimiters and one character.
 */
export function encodeWords(text: string, firstLengthMax = encodedWordLengthMax): string[] {
  const octets = Buffer.from(text, 'utf8')
  let qLength = 0
  for (const octet of octets) qLength += qWords[octet]!.length
  const isQ = qLength <= Math.ceil(octets.length / 3) * 4
  const words: string[] = []
  for (let start = 0, lengthMax = firstLengthMax; start < octets.length; lengthMax = encodedWordLengthMax) {
    const end = isQ
      ? endOfQ(octets, start, lengthMax - wrappingLength)
      : endOfB(octets, start, lengthMax - wrappingLength)
    words.push(isQ ? `=?UTF-8?Q?${q(octets, start, end)}?=` : `=?UTF-8?B?${octets.toString('base64', start, end)}?=`)
    start = end
  }
  return words
}

/** Returns the end of the Q word that begins at `start` and has at most `room` encoded characters. */
function endOfQ(octets: Buffer, start: number, room: number): number {
  let end = start
  for (let next = start, length = 0; next < octets.length; end = next) {
    do length += qWords[octets[next++]!]!.length
    while (isContinuation(octets[next]))
    if (length > room) break
  }
  return end
}

function endOfB(octets: Buffer, start: number, room: number): number {
  let end = Math.min(start + Math.floor(room / 4) * 3, octets.length)
  while (isContinuation(octets[end])) end--
  return end
}

/** Tells whether an octet continues a UTF-8 character, which two words must not share (RFC 2047 5). */
function isContinuation(octet: number | undefined): boolean {
  return octet !== undefined && (octet & 0xc0) === 0x80
}

function q(octets: Buffer, start: number, end: number): string {
  let text = ''
  for (let i = start; i < end; i++) text += qWords[octets[i]!]
  return text
}
