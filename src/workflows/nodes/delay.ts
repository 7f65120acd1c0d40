import Type, { type Static } from 'typebox'
import { duration } from '../../platform/environment/parsers.ts'
import { Strict } from '../../platform/http/schema/schema.ts'
import { isTime } from '../../platform/http/schema/validation.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { hasPlaceholder } from '../placeholders/fill.ts'
import { action, type ConfigFault, type Draft } from './node.ts'

/** Ten years. A longer delay is a mistake. */
const delayMaxMs = 3653 * 24 * 3_600_000

const Config = Strict({
  duration: Type.Optional(
    Type.String({
      maxLength: 200,
      title: 'Duration',
      description: 'The time from the beginning of the node: a number and ms, s, m, h or d.',
      examples: ['30s', '5m', '2h', '3d'],
    }),
  ),
  until: Type.Optional(
    Type.String({
      maxLength: 200,
      title: 'Until',
      description: 'An ISO 8601 time with a zone. A past time does not delay.',
      examples: ['2026-01-31T09:30:00Z'],
    }),
  ),
})
type Config = Static<typeof Config>

export const delayNode = action({
  type: 'delay',
  title: 'Delay',
  description: 'Waits for a while, or until a time.',
  config: Config,
  output: Type.Object({ until: Type.String({ format: 'date-time' }) }),
  pure: true,
  retries: false,
  faults(config) {
    const isOne = 'duration' in config !== 'until' in config
    const known = valueFaults(config).filter(({ value }) => !hasPlaceholder(value))
    return isOne ? known : [{ path: '', message: 'takes either duration or until' }, ...known]
  },
  async run({ startedAt }, input) {
    const faults = valueFaults(input)
    if (faults.length > 0) throw becameInvalid(...faults)
    // Counted from the beginning of the node, so that another process continues the same delay.
    const waitUntil = endOf(input, startedAt)
    if (waitUntil.getTime() - startedAt.getTime() > delayMaxMs) throw becameInvalid(tooLong(input))
    return { waitUntil, output: { until: waitUntil.toISOString() } }
  },
})

type TextFault = ConfigFault & { value: string }

function valueFaults({ duration: length, until }: Draft<Config>): TextFault[] {
  const faults: TextFault[] = []
  if (length !== undefined) {
    const ms = duration.parse(length)
    const message = 'must be a duration such as 30s, 5m, 2h or 3d'
    if (ms === undefined) faults.push({ path: 'duration', value: length, message })
    else if (ms > delayMaxMs) faults.push(tooLong({ duration: length }))
  }
  const message = 'must be an ISO 8601 time with a zone, such as 2026-01-31T09:30:00Z'
  if (until !== undefined && !isTime(until)) faults.push({ path: 'until', value: until, message })
  return faults
}

function endOf({ duration: length, until }: Config, startedAt: Date): Date {
  return length === undefined ? new Date(until!) : new Date(startedAt.getTime() + duration.parse(length)!)
}

function tooLong({ duration: length, until }: Config) {
  const path = length === undefined ? 'until' : 'duration'
  return { path, value: (length ?? until)!, message: 'must be ten years at most' }
}
