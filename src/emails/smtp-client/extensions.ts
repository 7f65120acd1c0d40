import type { Reply } from './reply.ts'

/** The extensions a server offers in its reply to EHLO; none if it only knows HELO. */
export type Extensions = {
  pipelining: boolean
  starttls: boolean
  eightBitMime: boolean
  smtpUtf8: boolean
  size: boolean
  /** SASL mechanisms, in upper case. */
  auth: readonly string[]
}

export const noExtensions: Extensions = Object.freeze({
  pipelining: false,
  starttls: false,
  eightBitMime: false,
  smtpUtf8: false,
  size: false,
  auth: [],
})

/** Reads the reply to EHLO (RFC 5321 4.1.1.1): the first line is the server's name, each further line an extension. */
export function parseExtensions(hello: Reply): Extensions {
  const offers = hello.text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().toUpperCase())
  const keywords = new Set(offers.map((offer) => offer.split(' ', 1)[0]))
  return {
    pipelining: keywords.has('PIPELINING'),
    starttls: keywords.has('STARTTLS'),
    eightBitMime: keywords.has('8BITMIME'),
    smtpUtf8: keywords.has('SMTPUTF8'),
    size: keywords.has('SIZE'),
    // Some servers offer only `AUTH=`, the form from before RFC 2554.
    auth: offers.filter((offer) => /^AUTH[ =]/.test(offer)).flatMap((offer) => offer.slice(5).split(/[ =]+/)),
  }
}
