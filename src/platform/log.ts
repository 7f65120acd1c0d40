import { type Logger, pino } from 'pino'

/** Fields that may hold a secret are cut out where they stand at these depths; bodies are never logged at all. */
const secrets = 'authorization password token accessToken refreshToken secret key apiKey html text'.split(' ')
const paths = secrets.flatMap((field) => [field, `*.${field}`, `headers.${field}`])
const redact = { paths, censor: '[redacted]' }

/** JSON lines on stdout; readable ones when stdout is a terminal. */
export async function createLog(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level, redact, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  const { default: pretty } = await import('pino-pretty')
  return pino({ level, redact }, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }))
}
