/** The least strength of an APP_SECRET in production, by `estimateSecretBits`. */
export const leastSecretBits = 128

/**
 * Estimates the bits that an attacker has to guess to find a secret, as the length of the shortest description that is
 * found here: characters one by one, or copies of earlier text or of a list of usual texts. A copy costs its place and
 * its length, so a random text has no description that is noticeably shorter than its own randomness. Only the first
 * 256 characters count.
 */
export function estimateSecretBits(secret: string): number {
  const characters = [...secret.slice(0, charactersMax)]
  if (characters.length === 0) return 0
  const [classBits, distinctBits] = alphabetsOf(characters)
  const oneByOne = Math.min(...[classBits, distinctBits].map(({ each, once }) => once + each * characters.length))
  const copied = Math.min(...[classBits, distinctBits].map((alphabet) => copiedBits(characters.join(''), alphabet)))
  return Math.min(oneByOne, copied + chanceBits)
}

/** The cost of one character, and the cost of naming the characters in use. */
type Alphabet = { each: number; once: number }

const charactersMax = 256

/** Random texts have some pattern by chance: a smaller saving does not count. */
const chanceBits = 16

/** Words, rows of keys and sequences, also backwards, that people use in settings. */
const usualTexts = [
  '0123456789012345678901234567890123456789',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm1qaz2wsx3edc4rfv',
  '0123456789abcdef0123456789abcdef',
  'change-me changeme change_me_please change-this-secret please-change-me replace-me replace-with',
  'password passphrase passw0rd p4ssw0rd secret s3cret supersecret topsecret secret-key secretkey app-secret app_secret',
  'default example sample testing test-secret development production staging localhost postgres posthorn messaging platform',
  'letmein welcome admin administrator master monkey dragon iloveyou trustno1 sunshine princess football baseball',
  'insecure unsafe-secret not-a-secret your-secret-here my-secret-key at-least-32-bytes-long thirty-two-bytes random-string deadbeef cafebabe',
].join('\n')
const book = `${usualTexts}\n${[...usualTexts].reverse().join('')}\n`

/**
 * Counts in two ways: by the classes of characters that occur, and by the characters that occur. The second is for
 * texts of few different characters.
 */
function alphabetsOf(characters: string[]): [Alphabet, Alphabet] {
  const distinct = new Set(characters)
  const has = (form: RegExp) => characters.some((character) => form.test(character))
  const isHex = characters.every((character) => /^[0-9a-f]$/.test(character))
  const others = [...distinct].filter((character) => !/^[a-zA-Z0-9]$/.test(character)).length
  const size = isHex ? 16 : (has(/[a-z]/) ? 26 : 0) + (has(/[A-Z]/) ? 26 : 0) + (has(/[0-9]/) ? 10 : 0) + others
  return [
    { each: Math.log2(size), once: 0 },
    { each: Math.log2(distinct.size), once: chooseBits(size, distinct.size) + chanceBits },
  ]
}

/** Returns log2 of the number of ways to choose `count` of `size`. */
function chooseBits(size: number, count: number): number {
  let bits = 0
  for (let index = 1; index <= count; index++) bits += Math.log2((size - count + index) / index)
  return bits
}

/** Copies shorter than this save nothing. */
const copyMin = 4
/** The bits that mark a copy, from the list or from the text. */
const copyFlagBits = 5

/** Finds the cheapest description, end first: a character, or a copy of any length up to the longest. */
function copiedBits(text: string, { each, once }: Alphabet): number {
  const lower = text.toLowerCase()
  const best = Array.from({ length: text.length + 1 }, () => 0)
  for (let at = text.length - 1; at >= 0; at--) {
    best[at] = each + best[at + 1]!
    const inText = longestCopy(text, at, text, at)
    const inBook = longestCopy(book, book.length, lower, at)
    for (let length = copyMin; length <= Math.max(inText, inBook); length++) {
      const fromText = length <= inText ? Math.log2(at) : Number.POSITIVE_INFINITY
      const fromBook = Math.log2(book.length) + caseBits(text.slice(at, at + length))
      const copy = copyFlagBits + 2 * Math.log2(length) + Math.min(fromText, length <= inBook ? fromBook : fromText)
      best[at] = Math.min(best[at]!, copy + best[at + length]!)
    }
  }
  return once + best[0]!
}

/** The list is in lower case. */
function caseBits(text: string): number {
  const isPlain = /^[^A-Z]*$|^[^a-z]*$|^[A-Z][^A-Z]*$/.test(text)
  return isPlain ? 2 : text.length
}

/**
 * Finds the longest part of `text` from `at` on that `source` contains too, beginning before `end`. A copy of the text
 * itself may overlap, as in a run.
 */
function longestCopy(source: string, end: number, text: string, at: number): number {
  let longest = 0
  for (let from = 0; from < end; from++) {
    let length = 0
    while (at + length < text.length && source[from + length] === text[at + length]) length++
    longest = Math.max(longest, length)
  }
  return longest
}
