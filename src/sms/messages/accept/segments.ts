/** The alphabet of 3GPP TS 23.038, 6.2.1, one septet for each character. The escape itself is not a character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** The extension table of 6.2.1.1, two septets for each character. */
const extension = new Set('\f^{}\\[~]|€')

const septetsMax = 160
const unitsMax = 70

/** Counts the segments of a text: 160 septets of GSM-7, or 70 UTF-16 units if a character is not in GSM-7. */
export function countSegments(body: string): number {
  const septets = countSeptets(body)
  const segments = septets === null ? body.length / unitsMax : septets / septetsMax
  return Math.max(1, Math.ceil(segments))
}

function countSeptets(body: string): number | null {
  let septets = 0
  for (const character of body) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return null
  }
  return septets
}
