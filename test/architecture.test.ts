import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { importsOf, type SourceFile, sourceFiles } from './source.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = sourceFiles()
const product = files.filter((file) => !file.isTest)

/** `homes` are files, or folders ending in a slash. */
function refuseOutside(homes: string[], pattern: RegExp, instead: string): void {
  const strays = product
    .filter(({ path }) => !homes.some((home) => path === home || (home.endsWith('/') && path.startsWith(home))))
    .flatMap((file) => hits(file, pattern))
  assert.deepEqual(strays, [], instead)
}

function hits({ path, code }: SourceFile, pattern: RegExp): string[] {
  return code
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`src/${path}:${index + 1}: ${line.trim()}`] : []))
}

test('ARCHITECTURE says why a folder has more than fifteen files, and names no other', () => {
  const sources = ['src', 'dashboard/src', 'cli/src', 'sdk/src']
  const paths = sources.flatMap((source) => globSync(`${source}/**/*.{ts,tsx}`, { cwd: root }))
  const folders = Map.groupBy(
    paths.filter((path) => !/\.test\.tsx?$|\/fixtures\//.test(path)),
    (path) => dirname(path).replace(/^src\//, ''),
  )
  const large = [...folders].filter(([, found]) => found.length > 15).map(([folder]) => folder)
  const [reasons = ''] = /^A folder of more than fifteen files[\s\S]*?\n\n/m.exec(read('ARCHITECTURE.md')) ?? []
  assert.deepEqual([...reasons.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(), large.sort())
})

test('only the folder that declares a table writes it', () => {
  const owners = tableOwners()
  const writes =
    /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'|insertRows\(\s*[\w.]+,\s*'(\w+)'|\b(?:insert into|delete from) (\w+)|\bupdate (\w+) set\b/g
  const strays = product.flatMap(({ path, code }) =>
    [...code.matchAll(writes)].flatMap((match) => {
      const table = match.slice(1).find((name) => name !== undefined)!
      const owner = owners.get(table)
      return owner === undefined || path.startsWith(owner) ? [] : [`src/${path} writes ${table}, which is ${owner}'s`]
    }),
  )
  assert.deepEqual(
    strays,
    [],
    'Call a function of the owner that takes `tx`, or publish an event that the owner subscribes to.',
  )
})

test('the events of messages are inserted in facts/record.ts alone', () => {
  const homes = ['emails', 'sms', 'whatsapp'].map((channel) => `${channel}/messages/facts/record.ts`)
  const inserts = /(?:insert into |insert(?:Into|Rows)\(.*')(?:email|sms|whatsapp)_events\b/
  refuseOutside(
    homes,
    inserts,
    'Call a function of `facts/record.ts`, which also moves the status and counts the event.',
  )
})

/** Returns the folder of each table. A folder's `table.ts` adds its tables to `Database`. */
function tableOwners(): Map<string, string> {
  const added = /declare module '[^']*database\.ts' \{\n {2}interface Database \{\n([\s\S]*?)\n {2}\}/
  const tables = product.flatMap(({ path, text }) => {
    const fields = added.exec(text)?.[1] ?? ''
    assert(fields === '' || path.endsWith('/table.ts'), `src/${path} declares a table: do it in the table.ts.`)
    const owner = path.replace(/table\.ts$/, '')
    return [...fields.matchAll(/^ {4}(\w+): \S/gm)].map(([, table = '']) => [table, owner] as const)
  })
  assert(tables.length > 10, 'The tables could not be read.')
  return new Map(tables)
}

/** Files that write without a `tx`, with the reasons. */
const writersWithoutTx = new Map([
  ['platform/jobs/claim.ts', 'a claim is one statement; a transaction would add two round trips for every job'],
  ['api-keys/note-use.ts', 'one statement, and only a hint'],
  ['auth/sessions/note-use.ts', 'the same'],
  ['platform/request-log/write.ts', 'one statement, and only a log'],
])

test('only a unit of work writes', () => {
  const writers = product.flatMap(({ path, code }) =>
    code
      .split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)
      .filter(writesWithoutTx)
      .map((text) => ({ path, line: `src/${path}: ${text.split('\n')[0]}` })),
  )
  const strays = writers.filter(({ path }) => !writersWithoutTx.has(path)).map(({ line }) => line)
  assert.deepEqual(strays, [], 'Take `tx` and use `tx.db`: the first argument says what a function may do.')
  const unused = [...writersWithoutTx.keys()].filter((file) => !writers.some(({ path }) => path === file))
  assert.deepEqual(unused, [], 'These files no longer write without a `tx`: remove them from the list.')
})

/** Tells whether a function writes with a `db` argument or the app's `db`, by a builder or by raw SQL. */
function writesWithoutTx(text: string): boolean {
  const takesDb = /^[^(]*\(\s*(?:db: Db\b|\{[^}]*\bdb\b[^}]*\}: (?!Tx\b))/.test(text)
  const db = takesDb ? /^(?:db|app(?:\(\))?\.db)\b/ : /^app(?:\(\))?\.db\b/
  const builders = [...text.matchAll(/([\w.()]*\bdb)\s*\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(/g)]
  const inserts = [...text.matchAll(/\binsertRows\(\s*([\w.()]+)/g)]
  if ([...builders, ...inserts].some(([, on = '']) => db.test(on))) return true
  const statements = text.split('.execute(')
  return statements.some((sql, index) => db.test(statements[index + 1] ?? '') && writing.test(sql))
}

const writing = /\b(?:insert into|update \S+(?: as \w+)? set|delete from|merge into)\b/

test('the environment is read in one place', () => {
  refuseOutside(
    ['config.ts', 'main.ts', 'cli/'],
    /process\.env/,
    'Add the variable to src/config.ts and read app.config.',
  )
})

test('the clock is read in one place', () => {
  const homes = ['platform/time/clock.ts', 'platform/time/sync-clock.ts']
  refuseOutside(
    homes,
    /Date\.now\(|new Date\(\)|process\.hrtime/,
    'Use tx.now or app.clock.now(): tests move that clock.',
  )
})

test('only a few files use randomness', () => {
  const ids = ['platform/ids.ts', 'platform/jobs/claims.ts', 'platform/jobs/enqueue.ts']
  const secrets = [
    'platform/sealed/seal.ts',
    'platform/keys/secrets.ts',
    'platform/embedded-postgres/',
    'backup/file.ts',
  ]
  const tokens = [
    'api-keys/key.ts',
    'auth/2fa/recovery-codes.ts',
    'auth/account-tokens/token.ts',
    'auth/passwords/new-password.ts',
    'auth/sessions/refresh-token.ts',
    'contacts/unsubscribe/token.ts',
    'webhooks/signing-secret.ts',
    'workflows/sandbox/run-code.ts',
    'workflows/trigger-key.ts',
  ]
  const pattern = /\b(randomBytes|randomUUID|randomInt|getRandomValues)\(|Math\.random/
  refuseOutside(
    [...ids, ...secrets, ...tokens],
    pattern,
    'Use app.newId() or tx.newId(); a new kind of secret gets its file listed here.',
  )
})

test('only a few files use the network', () => {
  const homes = [
    'platform/egress/',
    'platform/names/',
    'platform/embedded-postgres/',
    'emails/smtp-client/',
    'emails/providers/direct/',
    'smtp/',
    'domains/check/look-up.ts',
    'auth/oauth/',
    'rate-limits/redis-counter.ts',
    'start/check-listening.ts',
  ]
  const network =
    /^(node:)?(net|tls|dns|dns\/promises|http|https|http2|dgram)$|^(undici|ioredis|openid-client|smtp-server)$/
  const pure = ['isIP', 'isIPv4', 'isIPv6', 'BlockList']
  const strays = product
    .filter(({ path }) => !homes.some((home) => path.startsWith(home)))
    .flatMap((file) =>
      importsOf(file).flatMap(({ from, values }) =>
        network.test(from) && !values.every((name) => pure.includes(name)) ? [`src/${file.path}: ${from}`] : [],
      ),
    )
  assert.deepEqual(strays, [], 'Reach out through src/platform/egress, which refuses addresses that are not public.')
  refuseOutside(
    homes,
    /(?<![.\w])fetch\(/,
    'Reach out through src/platform/egress, which refuses addresses that are not public.',
  )
})

test('only platform files open transactions', () => {
  const homes = [
    'platform/transaction/transaction.ts',
    'platform/transaction/unit-of-work.ts',
    'platform/migrate/migrate.ts',
    'platform/sql/refuse-pooler.ts',
    'platform/sql/db.ts',
    'platform/sql/driver.ts',
    'platform/embedded-postgres/',
    'storage.ts',
    // One connection holds the snapshot of a whole backup, or all of a restore.
    'backup/',
  ]
  const pattern = /['"`](begin|commit|rollback)['"` ;]|\bdb\.transaction\(|pool\.connect\(/
  refuseOutside(homes, pattern, 'Use app.transaction(async (tx) => …): it retries, and refuses network calls inside.')
})

test('state belongs to an app', () => {
  // Files whose state belongs to the process, with the reasons.
  const homes = [
    'platform/per-app.ts', // The one place.
    'platform/sql/answered.ts', // By connection, which belongs to one app.
    'platform/sql/db.ts', // The same.
    'platform/sql/named.ts', // Names of statements by their text, the same for every app.
    'platform/sql/insert-rows.ts', // Texts of statements by table and columns, the same for every app.
    'platform/sql/sql-rows.ts', // The same.
    'platform/waiting/turns.ts', // The event loop, which all apps share.
    'platform/http/overload/when-answered.ts', // By socket.
    'platform/http/schema/serialization.ts', // Serializers by schema, which never changes.
    'reference/document.ts', // Documents by route table, which never changes.
    'workflows/graph/sound-part.ts', // Validators by schema, which never changes.
    'workflows/context/read-once.ts', // Parsed JSON by execution and name, which never changes.
    'workflows/context/filling.ts', // Counters by context, each for one call.
    'workflows/sandbox/start-thread.ts', // A compiled WebAssembly module.
    'workflows/sandbox/thread.ts', // A worker thread, which belongs to one app.
    'auth/passwords/password.ts', // The thread pool, which all apps share.
    'domains/dkim/dkim-keys.ts', // The same.
  ]
  const state =
    /^(export )?let |new WeakMap<App|^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)|create[A-Z]\w*(<.*>)?\(|\[\]$)/
  refuseOutside(homes, state, 'Keep it with perApp (src/platform/per-app.ts): two apps in one process share nothing.')
})

test('files fit their size', () => {
  const long = files.filter(
    ({ path, text }) => lines(text) > (path.endsWith('/feature.ts') && path !== 'platform/feature.ts' ? 25 : 250),
  )
  const named = long.map(({ path, text }) => `src/${path}: ${lines(text)} lines`)
  assert.deepEqual(
    named,
    [],
    'At most 250 lines, 25 in a feature.ts: there is a second verb or noun in it that wants its own file.',
  )
})

function lines(text: string): number {
  return text.trimEnd().split('\n').length
}

test('names are specific', () => {
  const vague = files.filter(({ path }) =>
    /(^|\/)(utils?|helpers?|common|services?|managers?|types|index|misc|lib)(\/|\.ts$)/.test(path),
  )
  assert.deepEqual(
    vague.map(({ path }) => `src/${path}`),
    [],
    'A file is a verb, a folder a noun of the API.',
  )
  refuseOutside([], /^export (\*|\{[^}]*\}) (as \w+ )?from /, 'No barrels: import from the file that has it.')
})

test('types are not bypassed', () => {
  const escapes = files.flatMap((file) => hits(file, /: any\b|<any\b|\bas any\b|\bany\[\]/))
  const unexplained = files.flatMap((file) =>
    hits({ ...file, code: file.text }, /@ts-(ignore|nocheck|expect-error)|biome-ignore [\w/]+(?!.*: \w)/),
  )
  assert.deepEqual(
    [...escapes, ...unexplained],
    [],
    'Use unknown and narrow it; a lint rule is only put aside with its reason beside it.',
  )
})
