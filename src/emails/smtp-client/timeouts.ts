/** How long each wait may last at most. Every one covers the whole reply, however slowly its bytes come in. */
export type Timeouts = {
  /** Name resolution, TCP and each TLS handshake. */
  connectMs: number
  greetingMs: number
  commandMs: number
  /** For handing the text to the network, added to `commandMs` for each MiB of it: the slowest server put up with. */
  transferPerMiBMs: number
  /** From the final dot to its reply. A server may scan the message meanwhile. */
  dataFinalMs: number
  quitMs: number
}

/** Shorter than the minutes of RFC 5321 4.5.3.2: somebody waits for the answer, and a repeat costs little. */
export const defaultTimeouts: Timeouts = Object.freeze({
  connectMs: 30_000,
  greetingMs: 30_000,
  commandMs: 60_000,
  transferPerMiBMs: 128_000,
  dataFinalMs: 120_000,
  quitMs: 2_000,
})
