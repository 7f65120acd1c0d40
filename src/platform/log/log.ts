import { type Logger, pino } from 'pino'

/** Fields that may contain a secret are removed at these depths; bodies are never logged. */
const secrets = 'authorization password token accessToken refreshToken secret key apiKey html text'.split(' ')
const paths = secrets.flatMap((field) => [field, `*.${field}`, `headers.${field}`])
const redact = { paths, censor: '[redacted]' }

/** PostgreSQL quotes whole rows in `detail` and `where`: hashes, addresses, message bodies. They must not be logged. */
export const serializers = {
  err(error: Error & Record<string, unknown>) {
    const { name, message, stack, code, table, constraint, column, routine } = error
    return { type: name, message, stack, code, table, constraint, column, routine }
  },
}

type LogSettings = { logLevel: string; logFormat: 'json' | 'text' | null }

/** Creates the log on stdout. Without `logFormat` it is readable on a terminal and JSON elsewhere. */
export async function createLog({ logLevel: level, logFormat }: LogSettings): Promise<Logger> {
  const { isTTY = false } = process.stdout
  if ((logFormat ?? (isTTY ? 'text' : 'json')) === 'json')
    return pino({ level, redact, serializers, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  const { default: pretty } = await import('pino-pretty')
  const options = {
    colorize: isTTY,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    messageFormat: oneLine,
    sync: true,
  }
  return pino({ level, redact, serializers, base: undefined }, pretty(options))
}

/** Fields that the rest of a line shows: its time, level and message, and an error below it. */
const shownElsewhere = new Set(['time', 'level', 'msg', 'err'])

/**
 * Formats an entry as its message and then its fields, such as `ready on http://localhost:3000  smtp=2587
 * roles=api,worker`.
 */
function oneLine(entry: Record<string, unknown>): string {
  const message = String(entry.msg ?? '')
  const shown = Object.entries(entry).filter(
    ([name, value]) => !shownElsewhere.has(name) && !message.includes(String(value)),
  )
  const fields = shown.flatMap(([name, value]) => fieldTexts(name, value))
  return fields.length > 0 ? `${message}  ${fields.join(' ')}` : message
}

function fieldTexts(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return [`${name}=${value.join(',')}`]
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([part, each]) => fieldTexts(part, each))
  return [`${name}=${value}`]
}
