import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { askOn } from '../../cli/src/io.ts'
import { newCommandLine } from './command-line.ts'

const { team, folder, runIn } = await newCommandLine()
const config = join(folder, 'posthorn', 'config.json')
const url = 'http://posthorn.test'
const bare = { env: {} }

test('a key that the server does not know is not saved', async () => {
  const { code, stdout, stderr } = await runIn(bare, 'login', '--url', url, '--key', 'ph_unknown')
  assert.deepEqual([code, stdout, existsSync(config)], [3, '', false])
  assert.doesNotMatch(stderr, /ph_unknown/)
})

test('login saves a key by flag, by a pipe or by a hidden prompt, for its owner alone to read', async () => {
  const byFlag = await runIn(bare, 'login', '--url', `${url}/`, '--key', team.key, '--json')
  assert.deepEqual(JSON.parse(byFlag.stdout), {
    url,
    profile: 'default',
    plan: 'enterprise',
    permission: 'full_access',
  })
  const sending = await team.newKey({ permission: 'sending_access' })
  const byPipe = await runIn({ ...bare, stdin: `${sending.key}\n` }, 'login', '--profile', 'shop', '--json')
  assert.deepEqual([byPipe.code, JSON.parse(byPipe.stdout).permission], [0, 'sending_access'])
  const asked = { ...bare, stdin: null, answers: [team.key] }
  const byPrompt = await runIn(asked, 'login', '--url', url, '--profile', 'asked')
  assert.deepEqual([byPrompt.code, byPrompt.stderr.includes('API key (it is not shown): ')], [0, true])
  for (const { stdout, stderr } of [byFlag, byPipe, byPrompt]) assert.doesNotMatch(stdout + stderr, /ph_/)
  assert.equal(statSync(config).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(folder, 'posthorn')), ['config.json'])
  const { profiles } = JSON.parse(readFileSync(config, 'utf8'))
  assert.deepEqual(profiles.default, { url, key: team.key })
})

test('a flag comes before the environment, and that before the saved profile', async () => {
  const other = await team.newKey({ permission: 'sending_access' })
  const who = async (env: Record<string, string>, ...flags: string[]) => {
    const { stdout, stderr } = await runIn({ env }, 'whoami', '--json', ...flags)
    assert.notEqual(stdout, '', stderr)
    const { url, profile, permission } = JSON.parse(stdout)
    return [url, profile, permission]
  }
  const here = 'http://here.test'
  const there = 'http://there.test'
  assert.deepEqual(await who({}), [url, 'default', 'full_access'])
  assert.deepEqual(await who({ POSTHORN_PROFILE: 'shop' }), ['http://localhost:3000', 'shop', 'sending_access'])
  assert.deepEqual(await who({ POSTHORN_URL: here }), [here, 'default', 'full_access'])
  const environment = { POSTHORN_API_KEY: other.key, POSTHORN_URL: here, POSTHORN_PROFILE: 'default' }
  assert.deepEqual(await who(environment), [here, null, 'sending_access'])
  assert.deepEqual(await who(environment, '--key', team.key, '--url', there), [there, null, 'full_access'])
  assert.deepEqual(await who(environment, '--profile', 'asked'), [url, 'asked', 'full_access'])
})

test('profiles lists the saved servers without keys, and logout removes one', async () => {
  const listed = await runIn(bare, 'profiles', '--json')
  const names = (text: string) => JSON.parse(text).data.map(({ profile }: { profile: string }) => profile)
  assert.deepEqual(names(listed.stdout), ['default', 'shop', 'asked'])
  const { stdout: table } = await runIn(bare, 'profiles')
  assert.doesNotMatch(listed.stdout + table, /ph_/)
  assert.match(table, /^PROFILE +URL +USED\ndefault +http:\/\/posthorn\.test +true\n/)
  assert.equal((await runIn(bare, 'logout', '--profile', 'shop')).stdout, 'The key of shop is removed.\n')
  assert.deepEqual(names((await runIn(bare, 'profiles', '--json')).stdout), ['default', 'asked'])
  const gone = await runIn(bare, 'emails', 'list', '--profile', 'shop')
  assert.equal(gone.code, 3)
  assert.match(
    gone.stderr,
    /^no_key: There is no profile "shop"\. There are default, asked\. Run: posthorn login --profile shop\n$/,
  )
})

test('a key that is typed is not shown, and the end of the input is no answer', async () => {
  const ask = async (secret: boolean, typed: string) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const shown: string[] = []
    output.on('data', (part) => shown.push(String(part)))
    const asked = askOn({ input, output }, 'Key: ', { secret })
    input.write(typed)
    const answer = await asked
    await setImmediate()
    return [answer, shown.join('')]
  }
  assert.deepEqual(await ask(true, 'ph_secret\r'), ['ph_secret', 'Key: \n'])
  const [answer, shown] = await ask(false, 'yes\r')
  assert.deepEqual([answer, shown!.includes('yes')], ['yes', true])
  assert.deepEqual(await ask(true, '\u0004'), ['', 'Key: \n'])
})

test('without a need for it the file of profiles may be unreadable', async () => {
  writeFileSync(config, 'not JSON')
  const whole = { POSTHORN_API_KEY: team.key, POSTHORN_URL: url }
  assert.equal((await runIn({ env: whole }, 'whoami')).code, 0)
  const { code, stderr } = await runIn({ env: { POSTHORN_URL: url } }, 'whoami')
  assert.deepEqual([code, /^config_unreadable: .* it is not JSON/.test(stderr)], [1, true])
  const nowhere = { ...whole, XDG_CONFIG_HOME: config }
  assert.equal((await runIn({ env: { ...nowhere, POSTHORN_URL: '' } }, 'whoami')).code, 0)
})

test('a server that is no Posthorn, and a proxy that reaches none, are told apart', async () => {
  const answering = (status: number, body: string) => async () =>
    new Response(body, { status, headers: { 'retry-after': '0' } })
  const list = (fetch: typeof globalThis.fetch) =>
    runIn({ env: { POSTHORN_API_KEY: team.key, POSTHORN_URL: url }, fetch }, 'emails', 'list')
  const other = await list(answering(200, '{"hello": "world"}'))
  assert.deepEqual([other.code, other.stdout], [1, ''])
  assert.match(
    other.stderr,
    /^not_posthorn: The answer is no list of Posthorn\. Is that the URL of a Posthorn server\?\n$/,
  )
  const proxy = await list(answering(502, '<h1>Bad Gateway</h1>'))
  assert.deepEqual([proxy.code, proxy.stdout], [4, ''])
  const withQuery = await runIn(bare, 'limits', '--url', `${url}/?mode=test`, '--key', team.key)
  assert.deepEqual([withQuery.code, /neither a query nor a fragment/.test(withQuery.stderr)], [2, true])
})
