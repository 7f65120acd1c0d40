import { firstCharacters } from './cut.ts'

/**
 * Scripts whose letters are written with joiners: without them a Persian or Sinhala name is misspelt (Unicode Standard
 * Annex 31, section 2.3).
 */
const joining = `
  Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar
  Balinese Javanese Tibetan
`
  .replaceAll(/\S+/g, String.raw`\p{Script=$&}`)
  .replaceAll(/\s/g, '')
const picture = String.raw`[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\ufe0f]`

/** Invisible characters that change the look of the one character before them, and hide and turn nothing. */
const shaping = [
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  // Older spellings of Malayalam and Sinhala end a word with a joiner.
  String.raw`(?<=[\p{M}&&[${joining}]])\u200d`,
  String.raw`(?<=${picture})\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
].join('|')

/**
 * Characters that turn or hide text, or break a line: bidi controls, zero-width and other ignorable ones, control
 * characters.
 */
const hidden = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`
const shapingOrHidden = new RegExp(`(?<shaping>${shaping})|${hidden}`, 'gv')
/** The blank of Braille is the one blank that Unicode does not call a space. */
const blank = /[\s\u2800]+/gu

/** Says what is wrong with a name that is shown to others. Null if it is fine. */
export function nameFault(name: string): string | null {
  const { visible, found } = split(name)
  if (found !== null) {
    const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `must not hold the character U+${code}, which is invisible, or turns or breaks the text around it; remove it`
  }
  return visible.replaceAll(blank, '') === '' ? 'must not be blank; write at least one visible character' : null
}

/**
 * Makes a name that is fine of a name that its owner cannot change here, cut to `lengthMax` characters. Null if nothing
 * is left.
 */
export function cleanName(text: string, lengthMax: number): string | null {
  const visible = split(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '))
    .visible.replaceAll(blank, ' ')
    .trim()
  // Cut between characters, where a joiner may be left without its second one.
  const { visible: name } = split(firstCharacters(visible, lengthMax))
  return nameFault(name.trim()) === null ? name.trim() : null
}

/** Returns the text without hidden characters, and the first of those. */
function split(text: string): { visible: string; found: string | null } {
  let found: string | null = null
  const visible = text.replaceAll(shapingOrHidden, (match, allowed: string | undefined) => {
    if (allowed !== undefined) return allowed
    found ??= match
    return ''
  })
  return { visible, found }
}
