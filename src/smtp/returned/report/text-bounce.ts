import { awaySubject, failureWords, noticeWords, warningWords } from './bounce-words.ts'
import type { TextBounce } from './report.ts'

type Message = { header(name: string): string; from: string; subject: string; text: string }

/** Lines before the returned message, whose text is the team's and not the server's. */
const copyBelow =
  /^[- ]*(below (this line )?is a copy|this is a copy of|(the )?original message( follows)?[ -]*$|included is a copy|return-path: <|received: (from|by) )/im
const textMax = 16_384
/** Without blanks: a search for words would cost a comparison with all of them at each word of the text. */
const likeAddress = /^[^\s@]{1,255}@[^\s@]{1,255}$/

/** A reply with both of its codes, which agree: `550 5.1.1` is nothing else in any language. */
const wholeReply = /(?<![\w.])([45])[0-57]\d[- ]#?\1\.\d{1,3}\.\d{1,3}(?![\w-]|\.\w)/

/**
 * Reads a bounce that a server reports as text only. Null if the message is not a bounce: a number that looks like a
 * code is none in a text that says nothing of a failure, since postmasters have rooms and telephones, too.
 */
export function readTextBounce(message: Message): TextBounce | null {
  const { header, from, subject, text } = message
  const isFromServer = /^(mailer-daemon|mail-daemon|maildaemon|mdaemon|postmaster)(@|$)/i.test(from)
  const named = header('x-failed-recipients')
    .split(',', 50)
    .map((address) => address.trim())
    .filter((address) => likeAddress.test(address))
  if (named.length === 0 && (!isFromServer || isAway(message))) return null
  const words = wordsOf(text)
  const all = `${subject} ${words}`
  const isNotice = named.length === 0 && noticeWords.test(all)
  const isWarning = !isNotice && warningWords.test(all)
  const isFailure = named.length > 0 || wholeReply.test(words) || (!isNotice && failureWords.test(all))
  return isFailure || isWarning ? { failed: named, text: words, isFailure, isWarning } : null
}

/** Returns a server's own words: the text before the returned message. */
export function wordsOf(text: string): string {
  const beginning = text.slice(0, textMax)
  return beginning.slice(0, copyBelow.exec(beginning)?.index)
}

/** Tells whether a message is an automatic reply (RFC 3834), which says nothing about the delivery. */
export function isAutomaticReply(message: Message): boolean {
  const { header } = message
  return (
    /^auto-/i.test(header('auto-submitted')) ||
    /^(auto_reply|bulk|junk)/i.test(header('precedence')) ||
    header('x-autoreply') !== '' ||
    header('x-autorespond') !== '' ||
    isAway(message)
  )
}

/**
 * Tells whether the message is a person's own automatic reply, by its subject or by what Sieve and others write
 * (RFC 5230 4.6). Bounces have the other header fields of one, too.
 */
function isAway({ header, subject }: Message): boolean {
  return awaySubject.test(subject) || /\bvacation\b/i.test(header('auto-submitted'))
}
