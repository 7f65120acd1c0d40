import { isAscii } from 'node:buffer'
import type { App } from '../../../context.ts'
import { signingKeyOf } from '../../../domains/dkim/signing-key.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'
import { longWorkBytes, takeTurn } from '../../../platform/waiting/turns.ts'
import { addressesOf, parseMailbox, splitMailboxes } from '../../mailbox.ts'
import { composeMessage, type UnsignedMessage } from '../../mime/compose.ts'
import { signComposed, signMessage } from '../../mime/dkim.ts'
import { isRelayOrder } from '../../mime/relay-orders.ts'
import { encodedSource, mayBeEncoded } from '../../mime/source/encoded-source.ts'
import { readFields } from '../../mime/source/fields.ts'
import { rewriteHtml } from '../../mime/source/rewrite-html.ts'
import type { EncodedFor, MessageHead, OutboundMessage } from '../../provider.ts'
import { returnAddress, unsignedReturnAddress } from '../../return-address.ts'
import { htmlTracker, isTracked, trackHtml } from '../../tracking/track-html.ts'
import { type Addressed, type Outbound, sizeOf } from '../email.ts'

/**
 * Makes the finished message: composed unless it was submitted, and signed with the domain's key unless the provider
 * signs or the domain is not the team's.
 */
export async function composeOutbound(app: App, email: Outbound): Promise<OutboundMessage> {
  if (sizeOf(email, email.source) > longWorkBytes) await takeTurn()
  const { source } = email
  const unsigned = source ? { raw: submitted(app, email, source), bodyHash: null } : compose(app, email)
  const { raw } = unsigned
  const message = { ...describeOutbound(app, email), raw: await sign(app, email, unsigned) }
  const suitsEveryServer = source ? !mayBeEncoded(raw) : isAscii(raw)
  return suitsEveryServer ? message : { ...message, encodedFor: encoderOf(app, email, raw) }
}

/** Encodes once for each kind of server, because each recipient may have a transaction of its own. */
function encoderOf(app: App, email: Outbound, raw: Buffer): EncodedFor {
  const made = new Map<string, Promise<Buffer> | null>()
  return (taken) => {
    const kind = `${taken.eightBitMime} ${taken.smtpUtf8}`
    if (!made.has(kind)) {
      const encoded = encodedSource(raw, taken)
      made.set(kind, encoded === raw ? null : sign(app, email, { raw: encoded, bodyHash: null }))
    }
    return made.get(kind)!
  }
}

async function sign(app: App, { teamId, domain, date }: Outbound, { raw, bodyHash }: UnsignedMessage): Promise<Buffer> {
  const { signs, rewrites = [] } = app.providers.email[modeOf(teamId)]
  if (signs || domain.dkimPrivateKey === '') return raw
  const keys = [{ domainName: domain.name, selector: domain.dkimSelector, privateKey: signingKeyOf(app, domain) }]
  return bodyHash === null ? signMessage(raw, keys, date, rewrites) : signComposed(raw, bodyHash, keys, date, rewrites)
}

function submitted(app: App, email: Outbound, source: Buffer): Buffer {
  const raw = withoutOrders(source)
  return isTracked(email) ? rewriteHtml(raw, htmlTracker(app, email)) : raw
}

/** Returns a complete message without the header fields that control a mail service. */
function withoutOrders(raw: Buffer): Buffer {
  const orders = readFields(raw, 0, raw.length).fields.filter(({ name }) => isRelayOrder(name))
  if (orders.length === 0) return raw
  const starts = [0, ...orders.map(({ end }) => end)]
  const ends = [...orders.map(({ start }) => start), raw.length]
  return Buffer.concat(starts.map((start, index) => raw.subarray(start, ends[index])))
}

function compose(app: App, email: Outbound): UnsignedMessage {
  return composeMessage({
    messageId: email.messageId,
    date: email.date,
    from: mailbox(email.from),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc ?? []),
    replyTo: email.replyTo === null ? [] : splitMailboxes(email.replyTo),
    subject: email.subject,
    text: email.text,
    html: trackedHtml(app, email),
    attachments: email.attachments,
    headers: headersOf(email),
  })
}

/** Leaves a broadcast's HTML encoded if nothing in it is tracked. */
function trackedHtml(app: App, email: Outbound): Outbound['html'] {
  const { html } = email
  if (html === null || !isTracked(email)) return html
  return trackHtml(app, email, typeof html === 'string' ? html : html.render())
}

/** Emails that an earlier release accepted may hold headers that are refused now. */
function headersOf({ headers }: Outbound): { name: string; value: string }[] {
  const all = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }))
  return all.filter(({ name }) => !isRelayOrder(name))
}

/** The parts of the app that the description of a message depends on. */
type Parts = Pick<App, 'clock' | 'config' | 'keyring' | 'providers'>

/** Describes a message without reading its content. */
export function describeOutbound(parts: Parts, email: Addressed): MessageHead {
  const { domain } = email
  return {
    teamId: email.teamId,
    emailId: email.id,
    domainName: domain.name,
    region: domain.region,
    tls: domain.tls,
    messageId: email.messageId,
    envelope: envelopeOf(parts, email),
    summary: { from: email.from, to: email.to, bcc: email.bcc ?? [], subject: email.subject },
    ...(email.system && { system: true }),
    at: parts.clock.now(),
  }
}

/** Leaves out people who were erased, whose place in the list stays. */
function mailboxes(texts: string[]) {
  return texts.filter((text) => text !== erased).map(mailbox)
}

function mailbox(text: string) {
  const parsed = parseMailbox(text)
  if (!parsed) throw new Error('An address that was checked when the email was accepted cannot be read.')
  return parsed
}

/**
 * Gives each recipient a separate return address, so that a report counts for that recipient only. An envelope has one
 * sender, so each recipient needs a transaction. All share one if no mail comes back to this installation.
 */
function envelopeOf(parts: Parts, email: Addressed): MessageHead['envelope'] {
  const { recipients: to } = email
  if (to.length === 1) return { from: senderFor(parts, email)(to[0]!), to }
  const from = unsignedReturnAddress(email.id, email.domain.returnPath)
  const comesBack =
    parts.providers.email[modeOf(email.teamId)].usesReturnAddress === true && parts.config.inboundSmtpPort !== 'off'
  return comesBack ? { from, to, senders: to.map(senderFor(parts, email)) } : { from, to }
}

function senderFor(parts: Parts, email: Addressed): (recipient: string) => string {
  const { returnPath } = email.domain
  const all = addressesOf(email).map(normalizeAddress)
  const at = stampOf(email, parts.clock.now())
  return (address) => {
    const recipient = all.indexOf(normalizeAddress(address))
    if (recipient === -1) return unsignedReturnAddress(email.id, returnPath)
    return returnAddress(parts.keyring, { emailId: email.id, recipient, returnPath }, at)
  }
}

const stampStepMs = 7 * 24 * 3_600_000

/**
 * Returns the time from which the return addresses are valid: that of the first attempt, plus the whole weeks since.
 * Greylisting hosts know a repeat by its envelope sender, so the repeats of a day have the same one. A job that runs
 * again weeks later gets an address that is valid for at least a week more.
 */
function stampOf({ date }: Addressed, now: Date): Date {
  return new Date(now.getTime() - ((now.getTime() - date.getTime()) % stampStepMs))
}
