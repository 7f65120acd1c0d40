import type { Logger } from 'pino'
import type { Config } from '../context.ts'
import type { Keyring } from '../platform/keys/keyring.ts'
import type { Mode } from '../platform/mode/mode.ts'
import type { Names } from '../platform/names/names.ts'
import { declaresProviders, type ProviderModule } from '../platform/provider.ts'
import type { Clock } from '../platform/time/clock.ts'
import { type Diagnosis, type Peer, unreachable } from './notification.ts'

declare module '../context.ts' {
  interface Providers {
    email: Record<Mode, EmailProvider>
  }
}

/**
 * One finished message, as an email provider receives it. A provider returns its answer as a value: it does not throw
 * when the other side fails, and it knows nothing about rows, limits of teams or retries. Each provider is one module
 * under `providers/`.
 */
export type OutboundMessage = {
  teamId: string
  emailId: string
  /** The domain of the `From` address, which decides DKIM and TLS settings. */
  domainName: string
  /** The region of the domain, for providers that have regions. */
  region: string
  /**
   * `enforced` delivers only over encrypted, verified connections. Only `direct` can do so; a relay is the operator's
   * choice.
   */
  tls: 'opportunistic' | 'enforced'
  /** With angle brackets. Every repeat of an email has the same one. */
  messageId: string
  envelope: {
    /** The sender when one transaction carries the message to all recipients. */
    from: string
    to: string[]
    /** One sender for each of `to`, in order. Each recipient then gets the message in a separate transaction. */
    senders?: string[]
  }
  /** The whole message with CRLF line ends, not dot-stuffed. It is DKIM-signed unless the provider signs. */
  raw: Buffer
  /** The fields that lists show, so that `raw` need not be parsed for them. */
  summary: { from: string; to: string[]; bcc: string[]; subject: string }
  /** Mail of the installation to its users, which only owners and admins see in the inbox. */
  system?: boolean
  /** The start of this attempt. */
  at: Date
  /** Absent if `raw` is ASCII, which every server takes. */
  encodedFor?: EncodedFor
  /** The limits of waiting for the provider. If left out, the provider's own limits hold. */
  terms?: Omit<Terms, 'encodedFor'>
}

/** The texts beyond ASCII that a server takes: in bodies (RFC 6152) and in headers (RFC 6531). */
type TakenTexts = { eightBitMime: boolean; smtpUtf8: boolean }

/**
 * Makes the message for a server that does not take all of its texts, signed again. Null if it takes the message as it
 * is.
 */
export type EncodedFor = (taken: TakenTexts) => Promise<Buffer> | null

/**
 * `mayBegin` is called when a message that waited for a connection can have one. It returns false if another process
 * may have taken the message over. `giveUpAt` is when the caller stops waiting, by `performance.now()`.
 */
export type Terms = { mayBegin?: () => boolean; giveUpAt?: number; encodedFor?: EncodedFor }

/** A message without its content. */
export type MessageHead = Omit<OutboundMessage, 'raw'>

/** One event of one recipient. `data` is stored with the event, and `GET …/events` shows it. */
export type DeliveryFact = {
  type: 'delivered' | 'delivery_delayed' | 'bounced' | 'complained'
  recipient: string
  /** True for a bounce that no repeat would change. It suppresses the address unless `suppress` is false. */
  permanent?: boolean
  /** False if the address is not at fault. */
  suppress?: boolean
  /** False for a delay of some recipients when others have the email, whose status then stays. */
  moves?: boolean
  data: Record<string, unknown>
}

export type EmailAnswer =
  /**
   * Handed over for at least one recipient, or refused permanently for all. `facts` hold the events known so far,
   * `response` is the last line of the answer.
   */
  | {
      kind: 'answered'
      accepted: string[]
      facts: DeliveryFact[]
      response: string | null
      /** Recipients without a final answer, who may be tried again or may have it. Left out if there are none. */
      open?: RecipientOutcome[]
    }
  /**
   * Not handed over for now. It may be tried again. `message` is for callers and operators, `diagnosis` the reason that
   * events tell. If not `isReachable`, the provider would not take another email either.
   */
  | { kind: 'unavailable'; message: string; diagnosis: Diagnosis; isReachable: boolean }
  /** The connection was lost between the message and the answer. */
  | { kind: 'unknown'; message: string }

export type Unavailable = Extract<EmailAnswer, { kind: 'unavailable' }>

/** Returns the answer of a provider that cannot be reached. */
export function unreachableFor(message: string): Unavailable {
  return { kind: 'unavailable', message, diagnosis: unreachable, isReachable: false }
}

export type EmailProvider = WholeProvider | SplittingProvider

type AnyProvider = {
  name: string
  /** True if the provider adds the DKIM signature. */
  signs: boolean
  /** Header fields that it writes itself, in lower case. The DKIM signature leaves them out. */
  rewrites?: readonly string[]
  /** True if bounces and complaints come back to the envelope sender. */
  usesReturnAddress?: boolean
  /**
   * The DNS records that the return path of a sending domain needs. A record that is left out names the host of
   * `PUBLIC_URL`. `spf` holds the mechanisms of the SPF record (RFC 7208 5), separated by blanks; null if the operator
   * has not named them.
   */
  returnPathDns?(domain: { region: string }): { spf?: string | null; mx?: string }
  close(): Promise<void>
}

/**
 * Receives a message once for all its recipients. `providers/registry.ts` lists the providers, and `app.ts` makes the
 * configured one.
 */
export type WholeProvider = AnyProvider & { send(message: OutboundMessage): Promise<EmailAnswer> }

/**
 * Delivers to the hosts of the recipients' domains, which may be slow or down independently. A message is therefore
 * split into one job for each domain, so that the sender's request never waits for a foreign host.
 */
export type SplittingProvider = AnyProvider & {
  /**
   * Finds a server of a domain, given in lower case and punycode, and reserves a connection before the message is
   * composed.
   */
  findRoute(domain: string): Promise<Route>
}

export type Route =
  /**
   * `deliver` is called at most once, with recipients of that domain only. `end` releases the reservation in any case.
   */
  | { kind: 'open'; deliver(message: OutboundMessage): Promise<RecipientOutcome[]>; end(): void }
  /** Not tried, because the hosts are busy or paused after failures (`because`). This counts as no attempt. */
  | { kind: 'wait'; until: Date; because: Diagnosis | null }
  /**
   * No server can be reached, for now or permanently. `blamed` says that the addresses are at fault and are suppressed.
   */
  | { kind: 'closed'; permanent: boolean; blamed: boolean; diagnosis: Diagnosis }

export type RecipientOutcome = {
  recipient: string
  /** `lost` means that the connection was lost between the message and the answer. */
  result: 'delivered' | 'refused' | 'deferred' | 'lost'
  /** True for a refusal that suppresses the address. */
  blamed: boolean
  diagnosis: Diagnosis
  /** The server that answered, if any. */
  peer: Peer | null
}

/** The parts of the app that a provider may use. */
type EmailProviderParts = {
  config: Config
  clock: Clock
  log: Logger
  names: Names
  keyring: Keyring
  /** Keeps a message in the inbox, for `capture`. */
  store(message: OutboundMessage): Promise<void>
}

export type EmailProviderModule = ProviderModule<EmailProviderParts, EmailProvider>

export const defineEmailProvider = declaresProviders<EmailProviderParts, EmailProvider>()
