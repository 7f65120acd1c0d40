import { isAddress } from '../text/mail-address.ts'

/** Encodings within encodings that are read, such as an address of a page that is a parameter of another one. */
const depthMax = 3

/** Tags that stand within a word. All others end one. */
const inlineTags =
  'a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr'
const inlineTag = new RegExp(`^(?:</?(?:${inlineTags})[\\s/>]|<!--|-->)`, 'i')
const tag = /<!--|-->|<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi
/** Bounded, so that the time is linear in the length of the text. A longer URL is read by its first 8 KiB. */
const url = /(?:[a-z][a-z0-9+.-]{0,19}:\/\/|mailto:)[^\s"<>\\]{1,8192}/gi
const partLengthMax = 8192

/**
 * Returns the texts as which a text is read: the words of HTML, its attributes, the parts of URLs, and what is escaped
 * as in JSON. The text as it came is not among them if it is encoded, since `o&#39;ada@example.com` shows no
 * `ada@example.com`.
 */
export function readingsOf(text: string, depth = 0): string[] {
  const tags = text.match(tag) ?? []
  const words = decodeEntities(text.replace(tag, (found) => (inlineTag.test(found) ? '' : '\n')))
  const plain = [words, ...tags.map(decodeEntities)]
  if (depth === depthMax) return plain
  const escaped = plain.filter((each) => /\\["\\/bfnrtu]/.test(each)).map(unescapeJson)
  const all = [...plain, ...escaped]
  const urls = all.flatMap((each) => each.match(url) ?? [])
  // An address may hold all that separates the parts of a path or a form. With an `@` that is not encoded it may be
  // one.
  const isPart = words.length <= partLengthMax && /^(?:\/|[^\s=&@]+=)[^\s@]*$/.test(words)
  return [
    ...all,
    ...all.flatMap(decodeWords),
    ...[...urls, ...(isPart ? [words] : [])].flatMap((each) => readingsOfUrl(each, depth)),
  ]
}

/**
 * Returns the texts of a URL, of a path with its query, or of a form: the segments, and the names and values of the
 * parameters, each decoded after it has been separated.
 */
export function readingsOfUrl(text: string, depth = 0): string[] {
  const isForm = /^[^/?#:]+=/.test(text)
  const [place, query] = isForm ? ['', text] : splitOnce(text, '?')
  const path = /^mailto:/i.test(place)
    ? [place.slice('mailto:'.length)]
    : place.replace(/^[^/]*\/\/[^/]*/, '').split(/[/#]/)
  const parts = [...path, ...query.split(/[&;#]/).flatMap((pair) => splitOnce(pair, '='))]
  return parts.flatMap((part) => {
    const decoded = decodePercent(part)
    return isAddress(decoded) ? [decoded] : readingsOf(decoded, depth + 1)
  })
}

const encodedSign = /%(?:25)*(?:40|2b)/i

/** Decodes the words that hold an encoded `@` or `+`. Other words keep a `%`, which an address may hold. */
function decodeWords(text: string): string[] {
  if (!encodedSign.test(text)) return []
  const words = text.split(/\s+/).filter((word) => encodedSign.test(word))
  return words.map((word) => {
    let decoded = word
    for (let round = 0; round < depthMax && encodedSign.test(decoded); round++) decoded = decodePercent(decoded)
    return decoded
  })
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    const decoded = Buffer.from(octets.replaceAll('%', ''), 'hex').toString()
    return decoded.includes('\ufffd') ? octets : decoded
  })
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescapeJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi, (whole, code, letter) => {
    if (code) return String.fromCharCode(Number.parseInt(code, 16))
    return letter ? (escapes[letter] ?? letter) : whole
  })
}

const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', commat: '@', period: '.', plus: '+' },
  ...{
    excl: '!',
    num: '#',
    dollar: '$',
    percnt: '%',
    ast: '*',
    sol: '/',
    equals: '=',
    quest: '?',
    hat: '^',
    lowbar: '_',
  },
  ...{ grave: '`', lbrace: '{', vert: '|', rbrace: '}', hyphen: '\u2010', colon: ':', semi: ';', lpar: '(', rpar: ')' },
}

/** Returns the name that HTML has for a character (HTML 13.5). */
export function entityNameOf(character: string): string | undefined {
  return Object.keys(entities).find((name) => entities[name] === character)
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
