/** The most characters of an SMS. */
export const smsBodyMax = 1600

/** The alphabet of 3GPP TS 23.038, 6.2.1, one septet for each character. The escape itself is not a character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** The extension table of 6.2.1.1, two septets for each character. */
const extension = new Set('\f^{}\\[~]|€')

const septetsMax = 160
const unitsMax = 70

type TextLength = {
  segments: number
  /** The size after which the next segment begins: septets of GSM-7, or UTF-16 units. */
  used: number
  max: number
  /** The first character that is not in GSM-7, which shortens the segments. */
  foreign: string | null
}

/** Measures a text: 160 septets of GSM-7 a segment, or 70 UTF-16 units if a character is not in GSM-7. */
export function measureText(body: string): TextLength {
  let septets = 0
  for (const character of body) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return lengthOf(body.length, unitsMax, character)
  }
  return lengthOf(septets, septetsMax, null)
}

function lengthOf(used: number, perSegment: number, foreign: string | null): TextLength {
  const segments = Math.max(1, Math.ceil(used / perSegment))
  return { segments, used, max: segments * perSegment, foreign }
}
