import { invalid } from '../platform/errors.ts'
import { isTime } from '../platform/http/schema/validation.ts'

const unitsMs: [name: RegExp, ms: number][] = [
  [/^s(ec(ond)?s?)?$/, 1000],
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h(ours?|rs?)?$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
  [/^w(eeks?)?$/, 7 * 86_400_000],
]

/** Reads ISO 8601 or a time from now, such as `in 5 min`, as ISO 8601. Throws `invalid` for other texts. */
export function readTime(text: string, now: Date): string {
  if (isTime(text)) return text
  const [, count, unit] = /^in (\d{1,4}|an?) ([a-z]{1,10})$/i.exec(text.trim()) ?? []
  const ms = unitsMs.find(([name]) => name.test(unit?.toLowerCase() ?? ''))?.[1]
  if (!ms || !count) throw invalid('scheduledAt', 'must be an ISO 8601 time with a zone, or such as `in 5 min`')
  return new Date(now.getTime() + (/^an?$/i.test(count) ? 1 : Number(count)) * ms).toISOString()
}
