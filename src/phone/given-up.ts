/**
 * The answer for a message whose job is discarded: failed, or of unknown outcome if it may have been handed over. After
 * a restore that holds for every message, since the mark may be of after the backup.
 */
export function givenUp(
  { handed_over_at: handedOverAt }: { handed_over_at: Date | null },
  reason: string,
  byRestore: boolean,
) {
  const message = `Given up: ${reason}`
  if (handedOverAt === null && !byRestore) return { kind: 'unavailable' as const, message }
  return { kind: 'unknown' as const, message: `${message} It may have been sent.` }
}
