export const CR = 0x0d
export const LF = 0x0a

/** Returns a copy in which each bare CR or LF is a CRLF, or the same buffer if every line already ends in CRLF. */
export function toCrlf(octets: Buffer): Buffer {
  const bare = countBareLineEnds(octets)
  return bare === 0 ? octets : withCrlf(octets, bare)
}

function countBareLineEnds(octets: Buffer): number {
  let bare = 0
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i]!
    if (octet > CR) continue
    if (octet === LF) bare++
    else if (octet === CR) octets[i + 1] === LF ? i++ : bare++
  }
  return bare
}

function withCrlf(octets: Buffer, bare: number): Buffer {
  const target = Buffer.allocUnsafe(octets.length + bare)
  let at = 0
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i]!
    if (octet === CR || octet === LF) {
      at = writeLineEnd(target, at)
      if (octet === CR && octets[i + 1] === LF) i++
    } else target[at++] = octet
  }
  return target
}

/** Writes CRLF at `at`. Returns the place after it. */
export function writeLineEnd(target: Buffer, at: number): number {
  target[at] = CR
  target[at + 1] = LF
  return at + 2
}
