/**
 * Where a mail server listens, and where it sends, as ports of 127.0.0.1: `returns` for each return path, `nextPort`
 * for a host that refuses all recipients.
 */
export type Place = { address: string; port: number; returns: Record<string, number>; nextPort: number }

/**
 * A real mail server that takes mail for one domain. It keeps what `ada…` gets, refuses `nobody…` and, for now,
 * `later…` at RCPT, refuses what `spam…` gets at its end, and hands what `gone…` gets to the next host, which refuses
 * it, so that a report is returned.
 */
export type Peer = {
  domain: string
  /** The messages that it kept. */
  kept(): string[]
  /** What it logged, for the reader of a failed test. */
  log(): string
  stop(): Promise<void>
}
