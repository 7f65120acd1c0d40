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

/** Creates the log: JSON lines on stdout, or readable ones if stdout is a terminal. */
export async function createLog(level: string): Promise<Logger> {
  if (!process.stdout.isTTY)
    return pino({ level, redact, serializers, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  const { default: pretty } = await import('pino-pretty')
  return pino({ level, redact, serializers }, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }))
}
