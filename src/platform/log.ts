import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** Fields that may hold a secret are cut out wherever they appear at these depths; bodies are never logged at all. */
const secretFields = [
  'authorization',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'key',
  'apiKey',
  'code',
  'html',
  'text',
]
const redact = {
  paths: secretFields.flatMap((field) =>
    [field, `*.${field}`, `headers.${field}`].filter((path) => path !== 'code' && path !== '*.code'),
  ),
  censor: '[redacted]',
}

/** JSON lines on stdout; readable ones when stdout is a terminal. */
export function createLog(level: string): Logger {
  if (process.stdout.isTTY)
    return pino({ level, redact }, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }))
  return pino({ level, redact, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
}
