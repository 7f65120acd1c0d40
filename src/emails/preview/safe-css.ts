/**
 * Makes a style sheet, or the value of a `style`, for a preview. Without `remote` it names nothing on another host,
 * whatever its escapes. Takes time in proportion to the length of the text.
 */
export function safeCss(css: string, { remote }: { remote: boolean }): string {
  const written: string[] = []
  let isImport = false
  for (const [token] of css.replaceAll(/\r\n?|\f/g, '\n').matchAll(tokens)) {
    if (isImport) {
      isImport = !/[;{}]/.test(token)
      continue
    }
    isImport = isImportRule(token)
    // A space, so that the tokens beside a dropped one do not become one token.
    if (isImport || isComment(token)) written.push(' ')
    else written.push(remote ? token : withoutRemote(token))
  }
  // An angle bracket could end the element that holds the text. CSS has an escape for it.
  return written.join('').replaceAll('<', '\\3c ')
}

const escapeForm = String.raw`\\(?:[0-9a-f]{1,6}\s?|[^\n0-9a-f])`
const nameForm = String.raw`(?:[-\w\u0080-\uffff]|${escapeForm})+`
/** `url` with whatever escapes, and an address without quotes. With quotes it is a function that holds a string. */
const letter = (plain: string, codes: string) => String.raw`(?:${plain}|\\0{0,4}(?:${codes})\s?|\\${plain})`
const urlForm = `${letter('u', '55|75')}${letter('r', '52|72')}${letter('l', '4c|6c')}`
const tokens = new RegExp(
  [
    String.raw`/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?`,
    '<!--|-->',
    String.raw`"(?:\\[\s\S]|[^"\\\n])*"?`,
    String.raw`'(?:\\[\s\S]|[^'\\\n])*'?`,
    String.raw`${urlForm}\(\s*(?!["'\s])(?:\\[\s\S]|[^)\\])*\)?`,
    `@?${nameForm}`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gi',
)

function isComment(token: string): boolean {
  return token.startsWith('/*') || token === '<!--' || token === '-->'
}

function isImportRule(token: string): boolean {
  return token.startsWith('@') && unescaped(token).toLowerCase() === '@import'
}

/**
 * Empties strings and addresses that lead to another host. Strings are addresses in `url()`, `src()` and `image-set()`.
 */
function withoutRemote(token: string): string {
  const quote = /^["']/.exec(token)?.[0]
  if (quote) return isRemote(unescaped(token.replaceAll(quote, ''))) ? '""' : token
  const open = token.indexOf('(')
  if (open === -1) return token
  return isRemote(unescaped(token.slice(open + 1).replace(/\)$/, ''))) ? 'none' : token
}

const otherHost = new Set(['http:', 'https:', 'ftp:', 'ws:', 'wss:', 'file:'])
/** An address such as `http:host` is relative in one of them and leads elsewhere in the other. */
const bases = ['http://posthorn.invalid/', 'https://posthorn.invalid/']

/** Reads the address as a browser does, which ignores line breaks in it and takes `\\` for `/`. */
function isRemote(address: string): boolean {
  if (!/[:/\\]/.test(address)) return false
  return bases.some((base) => {
    const read = URL.parse(address, base)
    return read !== null && otherHost.has(read.protocol) && read.host !== 'posthorn.invalid'
  })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|\n|([\s\S]))/gi, (_, code?: string, plain?: string) => {
    if (code === undefined) return plain ?? ''
    const point = Number.parseInt(code, 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  })
}
