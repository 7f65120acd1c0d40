import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { activateChain, errorOf, outputOf, runChain, type Step } from '../fixtures/workflow.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const chapter = readFileSync(new URL('../../../docs/workflows.md', import.meta.url), 'utf8')

/** Reads the first number of a line in the documented table of limits. */
function limitOf(what: string): number {
  const [, number] = chapter.split(`\n| ${what} | `)[1]?.match(/^([\d,]+)/) ?? []
  assert(number, `docs/workflows.md names no limit of ${what}.`)
  return Number(number.replaceAll(',', ''))
}

async function isRight(step: Step): Promise<boolean> {
  const answer = await activateChain(team, [step])
  assert(answer.status === 200 || answer.status === 400, answer.text)
  return answer.status === 200
}

test('texts of the documented lengths are accepted, and longer ones are refused', async () => {
  const find = (expression: string): Step => ({ type: 'transform_data', config: { mode: 'jsonpath', expression } })
  const write = (expression: string): Step => ({ type: 'transform_data', config: { mode: 'template', expression } })
  const code = (source: string): Step => ({ type: 'code', config: { source } })
  const match = (right: string): Step => ({ type: 'filter', config: { left: 'a', operator: 'matches', right } })
  const chat = (message: string): Step => ({
    ...{ type: 'slack_notification', config: { webhook_url: 'https://hooks.slack.com/x', message } },
  })
  const texts: [string, (text: string) => Step, string][] = [
    ['JSONPath', find, '$.'],
    ['template of `transform_data`, source of `code`', write, ''],
    ['template of `transform_data`, source of `code`', code, ''],
    ['pattern of `matches`', match, ''],
    ['message to a chat, before its placeholders are filled', chat, ''],
  ]
  for (const [what, step, start] of texts) {
    const longest = start.padEnd(limitOf(what), 'a')
    assert.deepEqual([await isRight(step(longest)), await isRight(step(`${longest}a`))], [true, false], what)
  }
})

test('a config has at most the documented number of placeholders', async () => {
  const most = limitOf('placeholders of a config')
  const step = (count: number): Step => ({
    ...{ type: 'filter', config: { left: '{{trigger.a}}'.repeat(count), operator: 'equals', right: '' } },
  })
  assert.deepEqual(outputOf(await runChain(posthorn, team, [step(most)], { a: null })), { passed: true })
  const longer = await runChain(posthorn, team, [step(most + 1)], { a: null })
  assert.match(errorOf(longer), /more than 10000 placeholders/)
})

test('durations are whole numbers of the documented units', async () => {
  const wait = (duration: string) => isRight({ type: 'delay', config: { duration } })
  for (const duration of ['1ms', '1s', '1m', '1h', '1d', '3653d']) assert.equal(await wait(duration), true, duration)
  for (const duration of ['1w', '1.5h', '1y', '-1s', '3654d']) assert.equal(await wait(duration), false, duration)
})

slowTest('a query inside a filter finds at most the documented number of values', async () => {
  const most = limitOf('values that a query inside a filter of a JSONPath finds')
  const expression = '$.trigger[?count($.trigger.list[*]) > 0]'
  const step = { type: 'transform_data', config: { mode: 'jsonpath', expression } }
  const list = (length: number) => ({ list: Array.from({ length }, () => 0) })
  assert.equal(outputOf(await runChain(posthorn, team, [step], list(most))).length, 1)
  assert.match(errorOf(await runChain(posthorn, team, [step], list(most + 1))), /finds more than 10000 values/)
})

test('a source and a JSONPath have no placeholders', async () => {
  assert.equal(await isRight({ type: 'code', config: { source: 'return {{trigger.a}}' } }), false)
  const expression = '{{trigger.path}}'
  assert.equal(await isRight({ type: 'transform_data', config: { mode: 'jsonpath', expression } }), false)
})
