/** 3GPP TS 23.038 6.2.1: one septet each; the escape itself is no character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** 6.2.1.1: two septets each. */
const extension = new Set('\f^{}\\[~]|€')

const septetsMax = 160
const unitsMax = 70

/** How many segments a text takes: 160 septets each in GSM-7, or 70 UTF-16 units each where a character is not in it. */
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
