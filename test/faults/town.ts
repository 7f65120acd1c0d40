import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Receiver, startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { patienceMs } from '../patience.ts'
import { runCommand, type ServerProcess } from '../server-process.ts'
import { type createWorkshop, until } from './installation.ts'

const certificate = fileURLToPath(new URL('../../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))
type Workshop = Awaited<ReturnType<typeof createWorkshop>>

const password = 'correct horse battery staple'

/** A caller with its own address, as a trusted proxy reports it. */
export type Caller = {
  token: string | null
  address: string
  call(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>
}

export type Account = Caller & { teamId: string; email: string }

export type Town = Awaited<ReturnType<typeof createTown>>

/**
 * A server with a heap of 384 MB behind a proxy, an honest team with a webhook, and a hostile team on the free plan.
 */
export async function createTown(workshop: Workshop, environment: Record<string, string> = {}) {
  const { first: server, dataDir } = await workshop.install({
    EMAIL_PROVIDER: 'capture',
    NODE_OPTIONS: '--max-old-space-size=384',
    NODE_EXTRA_CA_CERTS: certificate,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    TRUST_PROXY: '127.0.0.1',
    ...environment,
  })
  const honest = await signUp(server, '203.0.113.10')
  const hostile = await signUp(server, '198.51.100.10')
  await runCommand(dataDir, 'team', 'set-plan', honest.teamId, 'enterprise')
  const domain = await addDomain(honest)
  const receiver = await startReceiver()
  const endpoint = { endpointUrl: receiver.url, events: ['email.delivered'] }
  expect(await honest.call('POST', '/v1/webhooks', endpoint), 200)
  const healthMaxMs = 4 * (await healthMs(server)) + 500
  const began = performance.now()
  await live(server, honest, domain, receiver, patienceMs)
  // A slow machine takes longer for a quiet day too.
  const lateMs = 5000 + 5 * (performance.now() - began)
  return {
    server,
    hostile,
    honestEmail: honest.email,
    callerAt: (address: string) => callerOf(server, null, address),
    /** The honest team sends an email, gets its webhook and signs in, each in time. */
    async honestDay() {
      await live(server, honest, domain, receiver, lateMs)
      const took = await healthMs(server)
      if (took > healthMaxMs) throw new Error(`/health took ${took} ms, more than ${healthMaxMs}`)
    },
    addDomain,
    command: (...words: string[]) => runCommand(dataDir, ...words),
  }
}

function callerOf(server: ServerProcess, token: string | null, address: string): Caller {
  return {
    token,
    address,
    async call(method, path, body) {
      const answer = await fetch(server.url + path, {
        method,
        headers: {
          'x-forwarded-for': address,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: answer.status, text: await answer.text() }
    },
  }
}

async function signUp(server: ServerProcess, address: string): Promise<Account> {
  const email = `${randomUUID()}@people.test`
  const signedUp = await callerOf(server, null, address).call('POST', '/auth/signup', { email, password })
  const { accessToken, team } = JSON.parse(expect(signedUp, 200))
  return { ...callerOf(server, accessToken, address), teamId: team.id, email }
}

/** A domain under `.test` verifies at once. */
async function addDomain(account: Account): Promise<string> {
  const name = `${randomUUID()}.test`
  const { id } = JSON.parse(expect(await account.call('POST', '/v1/domains', { name }), 200))
  expect(await account.call('POST', `/v1/domains/${id}/verify`), 200)
  return name
}

function expect({ status, text }: { status: number; text: string }, wanted: number): string {
  if (status !== wanted) throw new Error(`answered ${status}, not ${wanted}: ${text.slice(0, 500)}`)
  return text
}

/** The most time that a first attempt takes beyond its answer. A second attempt would come five minutes later. */
const attemptMs = 7000

/** The honest team's day. Fails if an answer takes longer than `maxMs`. */
async function live(
  server: ServerProcess,
  honest: Account,
  domain: string,
  receiver: Receiver,
  maxMs: number,
): Promise<void> {
  const message = { from: `hello@${domain}`, to: ['ada@example.com'], subject: 'Honest', html: 'x'.repeat(100_000) }
  const sent = await inTime('an email', maxMs, () => honest.call('POST', '/v1/emails', message))
  const { id } = JSON.parse(expect(sent, 200))
  await until('the webhook', () => receiver.received.some(({ body }) => body.includes(id)), maxMs + attemptMs)
  const { email } = honest
  const owner = callerOf(server, null, honest.address)
  expect(await inTime('a login', maxMs, () => owner.call('POST', '/auth/login', { email, password })), 200)
}

async function inTime<T>(what: string, maxMs: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} took more than ${maxMs} ms`)), maxMs)
  return Promise.race([work(), late.promise]).finally(() => clearTimeout(timer))
}

/** Returns the median of nine, so that one pause of a shared machine has no effect. */
async function healthMs(server: ServerProcess): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 9; count++) {
    const start = performance.now()
    await (await fetch(`${server.url}/health`)).text()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[4]!
}
