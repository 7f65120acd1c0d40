/** The answer for a message whose job is discarded: failed, or of unknown outcome if it was being handed over. */
export function givenUp({ handed_over_at: handedOverAt }: { handed_over_at: Date | null }, reason: string) {
  const message = `Given up: ${reason}`
  if (handedOverAt === null) return { kind: 'unavailable' as const, message }
  return { kind: 'unknown' as const, message: `${message} It may have been sent.` }
}
