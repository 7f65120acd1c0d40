/** The alphabet of GSM-7 (3GPP TS 23.038), as in the server's `sms/messages/accept/segments.ts`. A test holds both together. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extension = new Set('\f^{}\\[~]|€')

const septetsMax = 160
const unitsMax = 70

export type Length = {
  segments: number
  /** The size after which the next segment begins: septets of GSM-7, or UTF-16 units. */
  used: number
  max: number
  /** The first character that is not in GSM-7, which shortens the segments. */
  foreign: string | null
}

/** Measures a text: 160 septets of GSM-7 a segment, or 70 UTF-16 units if a character is not in GSM-7. */
export function measure(body: string): Length {
  let septets = 0
  for (const character of body) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return lengthOf(body.length, unitsMax, character)
  }
  return lengthOf(septets, septetsMax, null)
}

function lengthOf(used: number, perSegment: number, foreign: string | null): Length {
  const segments = Math.max(1, Math.ceil(used / perSegment))
  return { segments, used, max: segments * perSegment, foreign }
}
