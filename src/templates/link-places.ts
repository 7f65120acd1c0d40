/**
 * How a value is written: escaped for HTML, into a plain text, or as it is. In HTML and texts, values within links are
 * encoded.
 */
export type FilledForm = 'html' | 'text' | 'none'

/** The part of a link that has a value. An `opaque` link, such as `mailto:`, has no host and no segments. */
export type Part = 'start' | 'host' | 'path' | 'opaque' | 'query'

/** How a gap is within a link. `isLink` is false if the text is one only if its first value is a URL. */
export type LinkPlace =
  | { continues: false; part: Part; isLink: boolean }
  /** The link began before the last gap; `before` is what it has since then. */
  | { continues: true; before: string }

/** Attributes of HTML that hold one URL. */
const attributes = 'href|src|action|formaction|background|poster|cite|longdesc|xlink:href'
const beforeQuote = new RegExp(String.raw`(?:^|[\s"'/])(?:${attributes})\s*=\s*$`, 'i')
const unquoted = new RegExp(`^(?:${attributes})=(.*)$`, 'is')
/** Enough for the name of an attribute and a few blanks. */
const nameLengthMax = 40
const linkStart = /(?<![\w+.-])(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.|(?:mailto|tel|sms|smsto|sip|xmpp|whatsapp|geo):)/i
const wordEnd = /[\s<>"'`]/
/** Longer stretches are not within one link, because programs do not follow such links. */
const lengthMax = 2048

/**
 * Finds for each gap between the stretches of a text how it is within a link; null if its value stays whole. The time
 * is linear in the length of the text.
 */
export function linkPlaces(stretches: string[], form: FilledForm): (LinkPlace | null)[] {
  if (form === 'none') return stretches.slice(1).map(() => null)
  let end = wordEnd
  const places = stretches.slice(0, -1).map((stretch, at): LinkPlace => {
    if (at > 0 && stretch.length <= lengthMax && !end.test(stretch))
      return { continues: true, before: plain(stretch, form) }
    const tail = stretch.slice(-lengthMax)
    const found = (form === 'html' && inAttribute(tail)) || inWord(tail)
    end = found.end
    return { continues: false, part: partAfter('start', plain(found.before, form).trimStart()), isLink: found.isLink }
  })
  // A value that starts a link matters only for those that follow in it.
  return places.map((place, at) =>
    place.continues || place.part !== 'start' || places[at + 1]?.continues ? place : null,
  )
}

/** Removes character references, whose `#` begins no fragment. */
function plain(text: string, form: FilledForm): string {
  return form === 'html' ? text.replace(/&#x?[\da-f]+;/gi, '') : text
}

/** Returns the part of a link in which it goes on after a text. */
export function partAfter(part: Part, text: string): Part {
  if (part === 'query' || text === '') return part
  if (/[?#]/.test(text)) return 'query'
  if (part === 'host') return /[/\\]/.test(text) ? 'path' : 'host'
  if (part !== 'start') return part
  const [, scheme, slashes] = /^(?:([a-z][a-z\d+.-]*):)?(\/\/)?/i.exec(text)!
  if (slashes) return /[/\\]/.test(text.slice(text.indexOf('//') + 2)) ? 'path' : 'host'
  return scheme ? 'opaque' : 'path'
}

type Found = { before: string; end: RegExp; isLink: boolean }

/** Finds the value of an attribute that is open at the end of a text. */
function inAttribute(text: string): Found | null {
  for (const [quote, end] of [
    ['"', /"/],
    ["'", /'/],
  ] as const) {
    const at = text.lastIndexOf(quote)
    const isOpen = at !== -1 && beforeQuote.test(text.slice(Math.max(0, at - nameLengthMax), at))
    if (isOpen) return { before: text.slice(at + 1), end, isLink: true }
  }
  const before = unquoted.exec(lastWord(text))?.[1]
  return before === undefined ? null : { before, end: wordEnd, isLink: true }
}

/** Finds a link that is written in the last word of a text. */
function inWord(text: string): Found {
  const word = lastWord(text)
  const start = word.search(linkStart)
  return { before: start === -1 ? '' : word.slice(start), end: wordEnd, isLink: start !== -1 }
}

function lastWord(text: string): string {
  let start = text.length
  while (start > 0 && !wordEnd.test(text[start - 1]!)) start--
  return text.slice(start)
}
