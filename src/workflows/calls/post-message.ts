import { DomainError, providerFailed } from '../../platform/errors.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { replaceEach } from '../conditions/includes.ts'
import type { Turn } from '../nodes/node.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { causeHeaders } from './headers.ts'
import { hostOf, urlFault } from './url.ts'

const timeoutMs = 15_000
const answerMaxBytes = 16 * 1024
const shownMax = 200

/**
 * Posts to the incoming webhook of a chat. In test mode nothing is posted: people read there, and see no header. The
 * URL is a secret, so errors name only the host. Throws `providerFailed`, which is tried again, for 429, 5xx and no
 * answer, and `invalid` for any other answer that is not 2xx.
 */
export async function postMessage(turn: Turn, url: string, message: object): Promise<number> {
  const { app, teamId, signal } = turn
  const fault = urlFault(url)
  if (fault) throw becameInvalid({ path: 'webhook_url', value: url.slice(0, 12), message: fault })
  if (isTestTeam(teamId)) return 200
  const answer = await app.egress.request({
    teamId,
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...causeHeaders(turn) },
    body: JSON.stringify(message),
    timeoutMs,
    bodyMaxBytes: answerMaxBytes,
    signal,
  })
  if (answer.kind !== 'answered') throw providerFailed(`${hostOf(url)} was not reached. ${answer.reason}`)
  const { status, body } = answer
  if (status >= 200 && status < 300) return status
  const words = withoutPath(body.toString('utf8').replaceAll('\0', ''), url).slice(0, shownMax).toWellFormed()
  const text = `${hostOf(url)} answered ${status}: ${words}`
  throw status === 429 || status >= 500 ? providerFailed(text) : new DomainError('invalid', text)
}

/** The answer may repeat the URL. */
function withoutPath(text: string, url: string): string {
  const { pathname, search } = new URL(url)
  const secrets = [pathname, search].filter((part) => part.length > 1)
  return secrets.reduce((rest, part) => replaceEach(rest, part, '…'), text)
}
