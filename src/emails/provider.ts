/**
 * The port every email provider fills, one file each under `providers/`. A provider is given one finished message and
 * says what became of it; it never throws for what a peer does, and knows nothing of rows, teams' limits or retries.
 */
export type OutboundMessage = {
  teamId: string
  emailId: string
  /** Domain of the `From` address: pools, DKIM and TLS settings go by it. */
  domainName: string
  /** `enforced`: no delivery over a connection that is not encrypted and verified. Only `direct` can know; a relay is the operator's. */
  tls: 'opportunistic' | 'enforced'
  /** With angle brackets; the same on every repeat of one email. */
  messageId: string
  envelope: { from: string; to: string[] }
  /** The whole message, DKIM-signed unless the provider signs, CRLF line ends, not dot-stuffed. */
  raw: Buffer
  /** What a list shows, so that nobody parses `raw` for it. */
  summary: { from: string; to: string[]; bcc: string[]; subject: string }
  /** When this attempt was begun. */
  at: Date
}

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
  | { kind: 'answered'; accepted: string[]; facts: DeliveryFact[]; response: string | null }
  /** Not handed over and it may be tried again: out of reach, or refused for now. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost between the final dot and its reply. */
  | { kind: 'unknown'; message: string }

export type EmailProvider = {
  name: string
  /** True where the provider puts its own DKIM signature on. */
  signs: boolean
  send(message: OutboundMessage): Promise<DispatchOutcome>
  close(): Promise<void>
}
