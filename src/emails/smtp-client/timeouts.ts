/** The limit of each wait. It covers the whole reply, however slowly its bytes arrive. */
export type Timeouts = {
  /** Name resolution, TCP and each TLS handshake. */
  connectMs: number
  greetingMs: number
  commandMs: number
  /** For each MiB of the text, added to `commandMs` while the text is sent. Sets the slowest acceptable rate. */
  transferPerMiBMs: number
  /** From the final dot to its reply. The server may scan the message in this time. */
  dataFinalMs: number
  quitMs: number
}

/** Shorter than the minutes of RFC 5321 4.5.3.2, because a caller waits for the reply and a repeat costs little. */
export const defaultTimeouts: Timeouts = Object.freeze({
  connectMs: 30_000,
  greetingMs: 30_000,
  commandMs: 60_000,
  transferPerMiBMs: 128_000,
  dataFinalMs: 120_000,
  quitMs: 2_000,
})
