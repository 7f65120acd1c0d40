import type { TextBounce } from './report.ts'

type Message = { header(name: string): string; from: string; subject: string; text: string }

/** Lines before the returned message, whose text is the team's and not the server's. */
const copyBelow = /^[- ]*(below this line is a copy|this is a copy of|original message|included is a copy)/im
const textMax = 16_384

/** Reads a bounce that a server reports as text only. Null if the message is not a bounce. */
export function readTextBounce({ header, from, subject, text }: Message): TextBounce | null {
  const failed = header('x-failed-recipients').split(',', 50)
  const isFromServer = /^(mailer-daemon|mail-daemon|maildaemon|mdaemon|postmaster)(@|$)/i.test(from)
  const named = failed.map((address) => address.trim()).filter((address) => address !== '')
  if (!isFromServer && named.length === 0) return null
  const beginning = text.slice(0, textMax)
  const words = beginning.slice(0, copyBelow.exec(beginning)?.index)
  const isWarning = /\b(delayed|still (being )?tr(y|ied)|will (continue|keep|be retried)|warning)\b/i.test(
    `${subject} ${words}`,
  )
  return { failed: named, text: words, isWarning }
}

/** Tells whether a message is an automatic reply (RFC 3834), which says nothing about the delivery. */
export function isAutomaticReply({ header, subject }: Message): boolean {
  return (
    /^auto-/i.test(header('auto-submitted')) ||
    /^(auto_reply|bulk|junk)/i.test(header('precedence')) ||
    header('x-autoreply') !== '' ||
    header('x-autorespond') !== '' ||
    /^(auto(matic)?[- ]?(reply|response)|out of (the )?office)/i.test(subject)
  )
}
