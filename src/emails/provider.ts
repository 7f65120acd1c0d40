import type { Diagnosis, Peer } from './notification.ts'

/**
 * The port every email provider fills, one file each under `providers/`. A provider is given one finished message and
 * says what became of it; it never throws for what a peer does, and knows nothing of rows, teams' limits or retries.
 */
export type OutboundMessage = {
  teamId: string
  emailId: string
  /** Domain of the `From` address: pools, DKIM and TLS settings go by it. */
  domainName: string
  /** Of the domain's choosing: where a provider with regions hands the message in. */
  region: string
  /** `enforced`: no delivery over a connection that is not encrypted and verified. Only `direct` can know; a relay is the operator's. */
  tls: 'opportunistic' | 'enforced'
  /** With angle brackets; the same on every repeat of one email. */
  messageId: string
  envelope: {
    /** The sender where one transaction carries the message to all. */
    from: string
    to: string[]
    /** For each of `to` in turn its own sender: then each gets the message in a transaction of its own. */
    senders?: string[]
  }
  /** The whole message, DKIM-signed unless the provider signs, CRLF line ends, not dot-stuffed. */
  raw: Buffer
  /** What a list shows, so that nobody parses `raw` for it. */
  summary: { from: string; to: string[]; bcc: string[]; subject: string }
  /** When this attempt was begun. */
  at: Date
}

/** A message as far as it is known without its content. */
export type MessageHead = Omit<OutboundMessage, 'raw'>

/** One thing a provider knows of one recipient. `data` is the payload kept with the event, as `GET …/events` shows it. */
export type DeliveryFact = {
  type: 'delivered' | 'delivery_delayed' | 'bounced' | 'complained'
  recipient: string
  /** Of a bounce: never again, so the address is suppressed. */
  permanent?: boolean
  /** False: the fault is not the address's, so it stays usable although the email bounced for good. */
  suppress?: boolean
  data: Record<string, unknown>
}

export type DispatchOutcome =
  /** Handed over, at least for one recipient or refused for good by all; `facts` say what is already known. `response` is the peer's last line. */
  | {
      kind: 'answered'
      accepted: string[]
      facts: DeliveryFact[]
      response: string | null
      /** Those whose own transaction may be repeated, or had no answer; there are none where one carried them all. */
      open?: RecipientOutcome[]
    }
  /** Not handed over and it may be tried again: out of reach, or refused for now. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost between the final dot and its reply. */
  | { kind: 'unknown'; message: string }

export type EmailProvider = WholeProvider | SplittingProvider

type AnyProvider = {
  name: string
  /** True where the provider puts its own DKIM signature on. */
  signs: boolean
  /** Header fields it writes anew, in lower case: a signature over them would not hold. */
  rewrites?: readonly string[]
  /** Bounces and complaints come back to the envelope sender. */
  usesReturnAddress?: boolean
  close(): Promise<void>
}

/** Takes a message once, for all its recipients. */
export type WholeProvider = AnyProvider & { send(message: OutboundMessage): Promise<DispatchOutcome> }

/**
 * Goes to the recipients' own hosts, each slow or down by itself. So a message is handed over to jobs of ours, one for each
 * of its recipients' domains, and whoever sent it waits for no stranger.
 */
export type SplittingProvider = AnyProvider & {
  /** Finds the way to a domain, in lower case and punycode, and takes a place on it, before the message is made. */
  findRoute(domain: string): Promise<Route>
}

export type Route =
  /** `deliver` takes a message with recipients of that domain only, once; `end` gives the place back, delivered or not. */
  | { kind: 'open'; deliver(message: OutboundMessage): Promise<RecipientOutcome[]>; end(): void }
  /** Not asked now, which says nothing of the message: its hosts are busy, or rest after failures (`because`). */
  | { kind: 'wait'; until: Date; because: Diagnosis | null }
  /** No way there, for now or for good. `blamed`: the addresses are at fault, and never to be written to again. */
  | { kind: 'closed'; permanent: boolean; blamed: boolean; diagnosis: Diagnosis }

/** What one attempt came to for one recipient. */
export type RecipientOutcome = {
  recipient: string
  /** `lost`: the connection was, between the final dot and its reply. */
  result: 'delivered' | 'refused' | 'deferred' | 'lost'
  /** Of a refusal: never again, so the address is suppressed. */
  blamed: boolean
  diagnosis: Diagnosis
  /** Whoever said so; null where nobody did. */
  peer: Peer | null
}
