import { readFileSync } from 'node:fs'
import type { Call } from './call.ts'
import { identityOf } from './commands/whoami.ts'
import { serverUrl } from './connection.ts'
import { toldOf } from './failure.ts'
import { visible } from './output/visible.ts'

type Check = { name: string; ok: boolean; hint: string | null }

/** Verifiers of webhooks allow five minutes. */
const skewMaxMs = 60_000
const answerMaxMs = 10_000

/** Checks what a first email needs. The exit code is that of the other commands. */
export async function doctor(call: Call): Promise<number> {
  const { io, values } = call
  const server = await serverChecks(io.fetch ?? fetch, serverUrl(io, values))
  const key = server.isThere ? await keyChecks(call) : { exitCode: outOfReach, checks: [] }
  const checks = [...server.checks, ...key.checks]
  call.show({ checks }, () => checks.map(lineOf).join(''))
  return key.exitCode || (checks.every(({ ok }) => ok) ? 0 : 1)
}

const outOfReach = 4

function lineOf({ name, ok, hint }: Check): string {
  return `${visible(`${ok ? 'ok  ' : 'FAIL'} ${name}${hint ? `: ${hint}` : ''}`)}\n`
}

async function serverChecks(ask: typeof fetch, url: string): Promise<{ isThere: boolean; checks: Check[] }> {
  const get = (path: string) => ask(`${url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(answerMaxMs) })
  const health = await get('/health').catch((error: Error) => error)
  if (health instanceof Error || !health.ok) {
    const why = health instanceof Error ? 'does not answer' : `answers ${health.status} to /health`
    const hint = `${url} ${why}. Is the server running? Its address is that of --url, POSTHORN_URL or the profile.`
    return { isThere: false, checks: [{ name: 'server', ok: false, hint }] }
  }
  const clock = clockCheck(health.headers.get('date'))
  const ready = await get('/ready').catch(() => null)
  const document = await get('/openapi.json')
    .then((answer) => answer.json())
    .catch(() => null)
  const checks = [
    { name: 'server', ok: true, hint: url },
    versionCheck((document as { info?: { version?: string } } | null)?.info?.version ?? null),
    {
      name: 'ready',
      ok: ready?.ok === true,
      hint: ready?.ok
        ? null
        : 'The server cannot serve: its database is out of reach, is read-only or refuses writes (a full disk, for example), or the server is stopping.',
    },
    clock,
  ]
  return { isThere: true, checks }
}

function versionCheck(server: string | null): Check {
  const name = 'version'
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version: own } = JSON.parse(file) as { version: string }
  if (server === null) return { name, ok: false, hint: 'There is no /openapi.json: is this a Posthorn server?' }
  if (server === own) return { name, ok: true, hint: own }
  return { name, ok: false, hint: `The server is ${server} and this command ${own}: update the older one.` }
}

/** Without the header nothing is known. */
function clockCheck(date: string | null): Check {
  const skewMs = date === null ? 0 : Date.parse(date) - Date.now()
  const ok = Math.abs(skewMs) <= skewMaxMs
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const words = `The clock of the server is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}: set both by NTP.`
  return { name: 'clock', ok, hint: ok ? null : words }
}

async function keyChecks(call: Call): Promise<{ exitCode: number; checks: Check[] }> {
  try {
    const { permission, plan } = await identityOf(call.io, call.connection())
    const key = { name: 'key', ok: true, hint: `${permission}, on the plan ${plan}` }
    const isTestKey = call.connection().key.startsWith('ph_test_')
    const domain = permission === 'full_access' ? await domainCheck(call, isTestKey) : unseenDomain
    return { exitCode: 0, checks: [key, domain] }
  } catch (error) {
    const { exitCode, message, requestId } = toldOf(error)
    const request = requestId === null ? '' : ` (request ${requestId})`
    const advice = exitCode !== 3 || message.includes('posthorn login') ? '' : ' Run: posthorn login'
    return { exitCode, checks: [{ name: 'key', ok: false, hint: `${message}${advice}${request}` }] }
  }
}

const unseenDomain = { name: 'domain', ok: true, hint: 'Not checked, because the key is only for sending.' }

async function domainCheck(call: Call, isTestKey: boolean): Promise<Check> {
  const name = 'domain'
  const domains = await call.client().domains.list({ limit: 100 }).all()
  const verified = domains.find(({ status }) => status === 'verified')
  if (verified) return { name, ok: true, hint: `${verified.name} is verified` }
  const [first] = domains
  const next = first ? `posthorn domains verify ${first.name}` : 'posthorn domains add shop.example'
  const whose = isTestKey ? 'This key sends all the same, being one for tests.' : 'Only test keys can send.'
  return { name, ok: isTestKey, hint: `No domain is verified. ${whose} Run: ${next}` }
}
