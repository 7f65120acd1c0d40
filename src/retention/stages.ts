import type { Removal, Retention } from '../platform/retention/removal.ts'
import { oldBefore } from '../teams/retention/retention.ts'

/** A removal that has something to do, and the time before which rows are old. */
type Stage = Removal & { before: Date }

/** Returns the parts of a pass, in their order: what is too many comes first, since it grows without a bound. */
export function stagesOf(removals: Removal[], retention: Retention, now: Date): Stage[] {
  const [tooMany, tooOld] = [removals.filter(({ days }) => days === null), removals.filter(({ days }) => days !== null)]
  return [...tooMany, ...tooOld].flatMap((removal) => {
    const { days } = removal
    // Bodies that are removed at once have no age to reach, and ids may be ahead of the clock.
    const before = days === null ? now : oldBefore(retention[days] === 0 ? -1 : retention[days], now)
    return before ? { ...removal, before } : []
  })
}
