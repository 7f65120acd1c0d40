import assert from 'node:assert/strict'
import { after } from 'node:test'
import type pg from 'pg'
import { pino } from 'pino'
import { insertApiKey, type NewApiKey } from '../src/api-keys/create.ts'
import { type AppParts, createApp, type RunningApp } from '../src/app.ts'
import { openLogin, sessionOf } from '../src/auth/sessions/open.ts'
import { grantCredit } from '../src/billing/credit/set.ts'
import { readConfig } from '../src/config.ts'
import type { LimitOverrides, Plan, Role } from '../src/context.ts'
import { insertVerifiedDomain } from '../src/domains/insert-verified.ts'
import { createKeyring } from '../src/platform/keys/keyring.ts'
import { createTeam } from '../src/teams/create.ts'
import { insertMember, insertUser } from '../src/teams/queries.ts'
import { type ManualClock, manualClock } from './clock.ts'
import { assertDeclared } from './declared.ts'
import { testDkimKeys } from './dkim-keys.ts'
import { dropSpareDatabases, giveBack, openTestPool, takeDatabase } from './spare-databases.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
export type Answer = { status: number; body: any; headers: Record<string, string>; text: string }

export type Api = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
}

export type TestTeam = {
  id: string
  /** The API with a full_access key. */
  api: Api
  key: string
  /** A verified sending domain, `shop<n>.test`, that no other team has. */
  domain: string
  domainId: string
  newKey(key?: Partial<NewApiKey>): Promise<{ id: string; key: string; api: Api }>
  /** Inserts a new user as a member of the team, signed in, with a verified address and without a password. */
  member(role: Role): Promise<TestMember>
}

export type TestMember = { userId: string; email: string; token: string; api: Api }

export type TestApp = RunningApp & {
  clock: ManualClock
  /** The API without a key. */
  anyone: Api
  as(token: string): Api
  /** Inserts a team, by default on `enterprise`, with the plan's SMS credit, a key and a verified domain. */
  team(options?: { id?: string; plan?: Plan; limits?: LimitOverrides }): Promise<TestTeam>
  runDueJobs(): Promise<number>
  /** Moves the clock forward, and runs the jobs that are due then. */
  runDueJobsAfter(ms: number): Promise<number>
  /** Creates another process on the same database, with the same clock. It answers no requests. */
  another(parts?: Partial<Pick<AppParts, 'keyring'>>): Promise<RunningApp>
}

/** The minimum of Argon2id, since a hash of the usual cost takes 20 ms of a processor. */
const quickPasswordCost = { memoryCost: 8, timeCost: 1 }

/** One key for all test domains. */
const sharedKeys = testDkimKeys()

/** Counted for all apps of the process, as some share a database. */
let teams = 0
let members = 0

export const stripeWebhookSecret = 'whsec_of_tests'
export const testSecret = 'a secret of tests, thirty-two bytes and more'

type TestParts = Partial<Omit<AppParts, 'config' | 'clock' | 'connections'>> & {
  /** Wraps the database, for example with a proxy. Returns the connection that the app uses. */
  through?: (database: pg.ClientConfig) => Promise<pg.ClientConfig>
}

/** Creates the whole app on a new database, with a manual clock. It is closed after the file's tests. */
export async function createTestApp(environment: Record<string, string> = {}, parts: TestParts = {}): Promise<TestApp> {
  const opened = openTestApp(environment, parts)
  after(async () => (await opened).close())
  return (await opened).app
}

let shared: ReturnType<typeof openTestApp> | undefined

/**
 * Returns the app that the files of a process share; a file that Node runs directly gets a new one. For files that keep
 * their rows apart by team, and neither move the clock nor run jobs.
 */
export async function sharedTestApp(): Promise<TestApp> {
  if (!process.env.TEST_SERVER) return createTestApp()
  shared ??= openTestApp({}, {})
  return (await shared).app
}

/** Closes what the files of a process share, once all of them are done. */
export async function closeSharedTestApp(): Promise<void> {
  await (await shared)?.close()
  await dropSpareDatabases()
}

async function openTestApp(environment: Record<string, string>, parts: TestParts) {
  const { through, ...others } = parts
  const database = await takeDatabase()
  const config = readConfig({
    // Tests name providers and public URLs without what production asks for.
    TRIAL: 'on',
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
    // Written a second after the requests, which a test need not wait for.
    REQUEST_LOG: 'off',
    // Building it costs a second of processor time.
    DASHBOARD: 'off',
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    ...environment,
  })
  const passed = through ? await through(database.config) : database.config
  const clock = manualClock()
  const closing: (() => Promise<void>)[] = []
  async function start(more: Partial<Pick<AppParts, 'keyring'>> = {}): Promise<RunningApp> {
    // The first process takes the connections of the database, unless the test wraps it.
    const isFirst = !through && closing.length === 0
    const connections = isFirst ? database.connections : openTestPool(passed)
    const running = await createApp({
      config,
      clock,
      connections,
      log: pino({ level: config.logLevel }),
      keyring: createKeyring(testSecret),
      generateDkimKeys: async () => sharedKeys,
      passwordCost: quickPasswordCost,
      ...others,
      ...more,
    })
    closing.push(async () => {
      await running.close(1000)
      if (!isFirst) await connections.close()
    })
    return running
  }
  const running = await start()
  const app: TestApp = { ...testApp(running, clock), another: start }
  return {
    app,
    async close() {
      await Promise.all(closing.map((close) => close()))
      await giveBack(database)
      forget(running)
      forget(app)
    },
  }
}

/** Node keeps the modules of test files, with what they name, until the process ends; an app takes megabytes. */
function forget(made: object): void {
  for (const name of Object.keys(made)) Reflect.deleteProperty(made, name)
}

function testApp(running: RunningApp, clock: ManualClock): Omit<TestApp, 'another'> {
  const as = (token: string | null) => apiOf(running, token)
  return {
    ...running,
    clock,
    as,
    anyone: as(null),
    runDueJobs: () => running.app.jobs.runDue(),
    runDueJobsAfter(ms) {
      clock.advance(ms)
      return running.app.jobs.runDue()
    },
    async team({ id: wantedId, plan = 'enterprise', limits = {} } = {}) {
      const { app } = running
      const domain = `shop${++teams}.test`
      const { id, key, domainId } = await app.transaction(async (tx) => {
        const newId = () => wantedId ?? tx.newId()
        const team = await createTeam({ ...tx, newId }, { name: 'Shop', plan })
        if (plan !== 'free') await grantCredit(tx, team.id, plan)
        await tx.db
          .updateTable('teams')
          .set({ limit_overrides: JSON.stringify(limits) })
          .where('id', '=', team.id)
          .execute()
        const made = await insertApiKey(tx, team.id, { name: 'test', permission: 'full_access', domainId: null })
        const domainId = await insertVerifiedDomain(tx, app.keyring, team.id, domain, sharedKeys)
        return { id: team.id, key: made.key, domainId }
      })
      const newKey = async (wanted: Partial<NewApiKey> = {}) => {
        const full: NewApiKey = { name: 'another', permission: 'sending_access', domainId: null, ...wanted }
        const made = await app.transaction((tx) => insertApiKey(tx, id, full))
        return { id: made.id, key: made.key, api: as(made.key) }
      }
      const member = async (role: Role): Promise<TestMember> => {
        const email = `${role}${++members}@people.test`
        const login = await app.transaction(async (tx) => {
          const userId = (await insertUser(tx, { email, name: null, passwordHash: null, emailVerified: true }))!
          await insertMember(tx, { teamId: id, userId, role })
          return openLogin(tx, app, userId, '127.0.0.1')
        })
        const { accessToken: token } = await sessionOf(app, login)
        return { userId: login.profile.user.id, email, token, api: as(token) }
      }
      return { id, key, api: as(key), domain, domainId, newKey, member }
    },
  }
}

/** Returns the API of one app, called with a token, or without one (null). */
export function apiOf(running: RunningApp, token: string | null): Api {
  async function call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    extra: Record<string, string> = {},
  ): Promise<Answer> {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...extra,
    }
    const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }
    const { server } = running
    const answer = await server.inject({ method, url, headers, ...payload })
    const json = String(answer.headers['content-type']).includes('json')
    const parsed = json ? answer.json() : answer.body
    assertDeclared(server.routeTable, method, url, { status: answer.statusCode, body: parsed })
    return {
      status: answer.statusCode,
      body: parsed,
      headers: answer.headers as Record<string, string>,
      text: answer.body,
    }
  }
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, body) => call('DELETE', path, body),
  }
}

/** Waits for an answer, asserts its status, and returns its body. */
export async function ok(answer: Promise<Answer>, wanted = 200): Promise<Answer['body']> {
  const { status, text, body } = await answer
  assert.equal(status, wanted, text)
  return body
}
