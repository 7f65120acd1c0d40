// needs: waiting
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, databaseUrl, testServer } from '../test/database.ts'
import { pluck } from '../test/pluck.ts'
import { startServer } from '../test/server-process.ts'
import { slowTest } from '../test/slow.ts'

const database = await createTestDatabase(await testServer())
after(() => database.drop())

slowTest(
  'in production it starts on a folder it cannot write to, with all it needs given, and warns together after its last line',
  async () => {
    const server = await startServer({
      DATABASE_URL: databaseUrl(database.config),
      APP_SECRET: randomBytes(32).toString('hex'),
      PAYMENTS_PROVIDER: 'sandbox',
      ALLOW_SANDBOX_PAYMENTS: 'on',
      // Nobody can create a folder there, not even root.
      DATA_DIR: '/proc/posthorn',
      NODE_ENV: 'production',
      EMAL_PROVIDER: 'direct',
      // The last that is looked for.
      REQUIRE_VERIFIED_EMAIL: 'on',
    })
    while (!server.output().includes('REQUIRE_VERIFIED_EMAIL')) await once(server.child.stdout!, 'data')
    const [, after = ''] = server.output().split(/"ready on .*\n/)
    assert.equal(await server.stop(), 0)
    assert.deepEqual(
      after
        .match(/"level":40,.*"msg":"(?:\w+) is (?:not|capture|sandbox|on)/g)
        ?.map((line) => line.replace(/.*"msg":"/, '')),
      [
        'EMAL_PROVIDER is not',
        'EMAIL_PROVIDER is capture',
        'SMS_PROVIDER is capture',
        'WHATSAPP_PROVIDER is capture',
        'PAYMENTS_PROVIDER is sandbox',
        'REQUIRE_VERIFIED_EMAIL is on',
      ],
    )
  },
)

const ports = { PORT: '0', SMTP_PORT: '0', SMTPS_PORT: '0' }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-start-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Starts the server on a terminal, as a person does, and stops it once it has printed `last`. Returns what was printed.
 */
async function printedOnTerminal(last: RegExp, environment: Record<string, string>): Promise<string> {
  const launcher = fileURLToPath(new URL('../bin/posthorn.js', import.meta.url))
  const child: ChildProcess = spawn('script', ['-qec', `exec ${process.execPath} ${launcher}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...ports, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  const ended = once(child, 'exit')
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const before = output
    output += text
    // Control-C, as it is typed.
    if (last.test(output) && !last.test(before)) child.stdin!.write('\x03')
  })
  await ended
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  return output.replaceAll('\r', '').replaceAll(/\x1b\[\d*m/g, '')
}

slowTest(
  'a terminal shows readable lines, and the welcome after them; a later start says how to get in again',
  async () => {
    const DATA_DIR = newFolder()
    const first = await printedOnTerminal(/described at/, { DATA_DIR })
    assert.doesNotMatch(first, /[{}"](?=.*ready on)|ready on.*[{}"]/)
    const line =
      /^\[\d\d:\d\d:\d\d\] INFO: ready on (http:\/\/localhost:\d+) .*roles=api,worker,smtp emailProvider=capture$/m
    const [ready, url] = line.exec(first) ?? assert.fail(first)
    const [, after = ''] = first.split(ready)
    assert.match(after, /^\n+ {2}Welcome to Posthorn\. This is shown once:\n/)
    assert.ok(after.includes(`${url}/app/start#`))
    const again = await printedOnTerminal(/reset-link/, { DATA_DIR })
    assert.doesNotMatch(again, /Welcome/)
    assert.match(
      again,
      /The dashboard is at http:\/\/localhost:\d+\/app\. For a new link to sign in: npx posthorn user reset-link dev@posthorn\.test$/m,
    )
  },
)

slowTest(
  'a program that starts it reads JSON and the welcome before the ready line, unless it asks for text',
  async () => {
    const DATA_DIR = newFolder()
    const server = await startServer({ DATA_DIR })
    const output = server.output()
    await server.stop()
    assert.match(output, /Welcome to Posthorn[\s\S]*"msg":"ready on/)
    const readable = await startServer({ DATA_DIR, LOG_FORMAT: 'text' })
    await readable.stop()
    assert.match(readable.output(), /^\[\d\d:\d\d:\d\d\] INFO: ready on/m)
  },
)

slowTest('a first start with a relay says that the first email is really sent', async () => {
  const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: 'smtp://127.0.0.1:1' }
  const server = await startServer({ DATA_DIR: newFolder(), ...relay })
  await server.stop()
  assert.match(server.output(), /EMAIL_PROVIDER is smtp, so it is really sent: name an address of your own\./)
  assert.doesNotMatch(server.output(), /kept in the inbox|v1\/inbox/)
})

slowTest('a first start that makes no account says why, and how to make one', async () => {
  const DATA_DIR = newFolder()
  const open = await startServer({ DATA_DIR, HOST: '0.0.0.0', TRIAL: 'on' })
  const output = open.output()
  assert.equal(await open.stop(), 0)
  assert.match(
    output,
    /"No account was made at this first start, because other machines can reach HOST 0\.0\.0\.0\. Make one: npx posthorn user create EMAIL"/,
  )
  assert.doesNotMatch(output, /Welcome|API key/)
  const off = await startServer({ DATA_DIR, POSTHORN_QUICKSTART: 'off' })
  await off.stop()
  assert.match(off.output(), /because POSTHORN_QUICKSTART is off/)
  const APP_SECRET = randomBytes(32).toString('hex')
  const production = { APP_SECRET, PAYMENTS_PROVIDER: 'none', TRIAL: 'off', PUBLIC_URL: 'http://mail.example.com' }
  const reached = await startServer({ DATA_DIR: newFolder(), ...production })
  await reached.stop()
  assert.match(reached.output(), /because PUBLIC_URL is http:\/\/mail\.example\.com\. Make one/)
})

slowTest(
  'the commands that the first start prints send an email and find it in the inbox, on the largest plan',
  async () => {
    const server = await startServer({ DATA_DIR: newFolder() })
    const output = server.output()
    const commands = [...output.matchAll(/^ {4}(curl (?:.*\\\n)*.*)$/gm)].map(([, command]) => command!)
    assert.equal(commands.length, 2, output)
    const [sent, inbox] = commands.map((command) =>
      JSON.parse(execFileSync('sh', ['-c', `${command} --silent`], { encoding: 'utf8' })),
    )
    assert.equal(sent.status, 'sent')
    assert.deepEqual(pluck(inbox.data, 'emailId'), [sent.id])
    const [, key] = /API key +(ph_\S+)/.exec(output)!
    const limits = await fetch(`${server.url}/v1/rate-limits`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(((await limits.json()) as { tier: { plan: string } }).tier.plan, 'enterprise')
    assert.equal(await server.stop(), 0)
  },
)
