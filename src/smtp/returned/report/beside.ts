import { shown } from './fields.ts'

/** The result that a text gives for one address. */
export type Beside = {
  /** The first enhanced status code of a failure; if there is none, the class of the reply, as in `5.0.0`. */
  status: string | null
  /** True if a code of success is the only one. */
  isSuccess: boolean
  /** The reply from its code on, or else the words without the address, which mail may be forwarded to secretly. */
  diagnosticCode: string
}

/**
 * Reads what a text says beside an address: on its line and below, up to the line of another address. Null if the text
 * does not name it. `hasReplies` counts codes such as 550 too, which in an ordinary text may be any number.
 */
export function besideAddress(address: string, text: string, { hasReplies = true } = {}): Beside | null {
  const at = placeOf(address, text)
  if (at === -1) return null
  const about = aboutOf(address, text, at)
  const codes = enhancedCodes(about)
  const failure = codes.find((code) => !code.startsWith('2.')) ?? null
  const reply = hasReplies ? replyIn(about) : null
  const isReplyOfFailure = reply !== null && (failure === null || failure[0] === reply[0])
  return {
    status: failure ?? (reply === null ? null : `${reply[0]}.0.0`),
    isSuccess: failure === null && reply === null && codes.length > 0,
    diagnosticCode: isReplyOfFailure ? `smtp; ${shown(reply)}` : `x-words; ${shown(withoutAddress(address, about))}`,
  }
}

function withoutAddress(address: string, about: string): string {
  const at = placeOf(address, about)
  const before = about.slice(0, at).replace(/<$/, '')
  return `${before}${about.slice(at + address.length).replace(/^>?[:,]?/, '')}`
}

/** Returns the enhanced status codes in a text. Skips parts of IP addresses. */
export function enhancedCodes(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?![\w-]|\.\w)/g)].map(([code]) => code)
}

/** Finds a whole address: `smith@c.example` is neither in `j.smith@c.example` nor in `smith@c.example.net`. */
export function placeOf(address: string, text: string): number {
  const literal = address.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.search(new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${literal}(?![\\w-]|\\.[\\w-])`, 'i'))
}

/** The line of another address begins with it: `<bob@example.com>: 550 no such user`. */
const lineOfAddress = /^[ \t]*<?([^\s<>@:;,()]+@[^\s<>@:;,()]+)>?(?=[\s:,(]|$)/

function aboutOf(address: string, text: string, at: number): string {
  const lines = text.slice(text.lastIndexOf('\n', at) + 1).split('\n')
  const end = lines.findIndex((line, index) => {
    const other = index > 0 ? lineOfAddress.exec(line)?.[1] : undefined
    return other !== undefined && other.toLowerCase() !== address.toLowerCase()
  })
  return (end === -1 ? lines : lines.slice(0, end)).join('\n')
}

/**
 * The code of a refusal where servers write one: at the beginning of a line or after a colon, a quote or such a word.
 */
const refusal =
  /(?:^[ \t<>]*|[:;"'(=][ \t]*|\b(?:said|says|error|code|status|repl(?:y|ied)|respon(?:se|ded)|returned|with)[ \t]+)([45][0-57]\d)(?=[ \t\r\n-]|[,.;:)"']|$)/im

/** Returns a reply from its code to the end of its paragraph. */
function replyIn(text: string): string | null {
  const match = refusal.exec(text)
  if (!match) return null
  const reply = text.slice(match.index + match[0].length - 3)
  return reply.slice(0, /\r?\n[ \t]*\r?\n|$/.exec(reply)!.index)
}
