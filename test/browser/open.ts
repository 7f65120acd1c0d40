import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, afterEach } from 'node:test'
import pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/start.ts'
import { makeDataFolder } from '../data-folder.ts'
import { patienceMs } from '../patience.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { sharedChromium } from './chromium.ts'
import { collectFaults } from './faults.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
type Answer = { status: number; body: any }

export type Dashboard = {
  /** Without a slash at the end. */
  url: string
  /** The account of the first start, an owner on `enterprise`. */
  account: { email: string; password: string }
  /** The link of the first start, which is spent: the browser is signed in. */
  startLink: string
  /** Calls the API with a full_access key of the account's team, whose verified domain is `sandbox.test`. */
  api(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>
  /** Opens a page, such as `/app/inbox`, signed in. It is closed after the test. */
  open(path: string): Promise<Page>
  /** Opens a page in a browser of its own that is not signed in. */
  openSignedOut(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Makes the last password or code of every login an hour old. */
  ageLogins(): Promise<void>
  /** Lets every team send 20 emails a second. */
  slowSending(): Promise<void>
  /** Kills the server. Returns how to start it again at the same address. */
  killServer(): Promise<() => Promise<void>>
  /** Stops the server as an operator does. Returns its exit code. */
  stopServer(): Promise<number | null>
  /**
   * Allows console messages in the current test, such as of a refusal that it causes. Everything else fails the test.
   */
  mayLog(pattern: RegExp): void
}

const usual = { viewport: { width: 1440, height: 900 }, locale: 'en-GB', timezoneId: 'UTC' }

type Opened = {
  browser: Browser
  running: { server: ServerProcess }
  signedIn: BrowserContext
  /** A page that asks for nothing. While it is open, the process of the pages lives. */
  kept: Page
  dashboard: Dashboard
}

/**
 * Starts a server with `capture` in a new folder, and signs a browser in. Both end after the file's tests. A test
 * fails if a page of it writes to the console, throws or makes a request to another origin.
 */
export async function openDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const dataDir = makeDataFolder('browser')
  const allowed: RegExp[] = []
  const collected: string[][] = []
  const opened = open(dataDir, { DATA_DIR: dataDir, ...environment }, allowed, collected)
  afterEach(async () => {
    const { browser, signedIn, kept } = await opened
    for (const page of browser.contexts().flatMap((context) => context.pages()))
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const page of signedIn.pages()) if (page !== kept) await page.close()
    for (const context of browser.contexts()) if (context !== signedIn) await context.close()
    allowed.length = 0
    const faults = collected.flatMap((some) => some.splice(0))
    assert.deepEqual(faults, [], 'A page wrote to the console, failed or left its origin.')
  })
  after(async () => {
    const { signedIn, running } = await opened
    await signedIn.close()
    await running.server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return (await opened).dashboard
}

async function open(
  dataDir: string,
  environment: Record<string, string>,
  allowed: RegExp[],
  collected: string[][],
): Promise<Opened> {
  const [server, browser] = await Promise.all([startServer(environment), sharedChromium()])
  const url = server.url
  const running = { server }
  // The first page waits for the build, which may take longer on a busy machine than a test waits.
  await fetch(`${url}/app`)
  const newContext = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ ...usual, ...options })
    context.setDefaultTimeout(patienceMs)
    collected.push(collectFaults(context, url, allowed))
    return context
  }
  const show = async (context: BrowserContext, path: string) => {
    const page = await context.newPage()
    await page.goto(url + path)
    return page
  }
  const printed = readWelcome(server.output())
  const signedIn = await newContext()
  const kept = await signIn(signedIn, printed.startLink)
  await kept.goto(`${url}/health`)
  const dashboard: Dashboard = {
    url,
    account: printed.account,
    startLink: printed.startLink,
    api: (method, path, body) => call(url + path, method, printed.key, body),
    open: (path) => show(signedIn, path),
    openSignedOut: async (path, options) => show(await newContext(options), path),
    ageLogins: () =>
      runInDatabase(dataDir, `update refresh_tokens set confirmed_at = confirmed_at - interval '1 hour'`),
    slowSending: () => runInDatabase(dataDir, `update teams set limit_overrides = '{"emailsPerSecond": 20}'`),
    async killServer() {
      await running.server.kill()
      return async () => {
        running.server = await startServer({ ...environment, PORT: new URL(url).port })
      }
    },
    stopServer: () => running.server.stop(),
    mayLog: (pattern) => void allowed.push(pattern),
  }
  return { browser, running, signedIn, kept, dashboard }
}

/** Reads what the first start prints. */
function readWelcome(output: string) {
  const [, email = '', password = ''] = /account +(\S+) +password +(\S+)/.exec(output) ?? []
  const [, key = ''] = /API key +(\S+)/.exec(output) ?? []
  const [startLink = ''] = /http\S+\/app\/start#\S+/.exec(output) ?? []
  assert.ok(password && key && startLink, `The first start printed no account:\n${output}`)
  return { account: { email, password }, key, startLink }
}

/** Changes the server's database, beside the server. */
async function runInDatabase(dataDir: string, statement: string): Promise<void> {
  const quiet = { info: () => undefined, warn: () => undefined }
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const client = new pg.Client(postgres.connection())
  await client.connect()
  await client.query(statement)
  await client.end()
  await postgres.stop()
}

/** Opens the link of the first start, as a person does. Returns the page. */
async function signIn(context: BrowserContext, startLink: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(startLink)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return page
}

async function call(url: string, method: string, key: string, body?: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: isJson ? await answer.json() : await answer.text() }
}
