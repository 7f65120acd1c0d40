import type { TextBounce } from './report.ts'

type Message = { header(name: string): string; from: string; subject: string; text: string }

/** Lines before the returned message, whose text is the team's and not the server's. */
const copyBelow =
  /^[- ]*(below (this line )?is a copy|this is a copy of|(the )?original message( follows)?[ -]*$|included is a copy)/im
const textMax = 16_384
/** Without blanks: a search for words would cost a comparison with all of them at each word of the text. */
const likeAddress = /^[^\s@]{1,255}@[^\s@]{1,255}$/

const failureWords = new RegExp(
  [
    /\b(fail(s|ed|ure|ures|ing)?|undeliver\w*|reject\w*|refused|bounced?|no such|unknown|not found|giv(e|en|ing) up)\b/,
    /(\bnot|n't|\bcannot|\bunable to) (yet )?(be |been |being |able to )?(deliver|sen[dt]|reach|accept|exist)/,
    /\b(returned (mail|to sender)|returning (your )?(mail|message)|(fatal|permanent) error|over quota|quota exceeded)\b/,
    /\bmailbox (is )?(full|unavailable|disabled|inactive)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
const warningWords = /\b(delayed|still (being )?tr(y|ied)|will (continue|keep|be retried))\b/i
/** Notices about a message that was held or answered, which may use words of a failure. */
const noticeWords = /\b(quarantin\w*|out of (the )?office|on vacation|successfully delivered)\b/i

/** Reads a bounce that a server reports as text only. Null if the message is not a bounce. */
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
  const isWarning = !isNotice && (warningWords.test(all) || /\bwarning: (could|message|mail)\b/i.test(all))
  return { failed: named, text: words, isFailure: named.length > 0 || (!isNotice && failureWords.test(all)), isWarning }
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

/** Tells whether the subject is that of a person's own automatic reply. Bounces have the header fields of one, too. */
function isAway({ subject }: Message): boolean {
  return /^(re: *)?(auto(matic)?[- ]?(reply|response)|out of (the )?office|vacation|away\b|absence)/i.test(subject)
}
