import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createSandbox } from './sandbox.ts'

const never = new AbortController().signal
const sandbox = createSandbox()
after(() => sandbox.close())

/** The output as it is written, for a trigger of this JSON. */
async function outputAsWritten(source: string, trigger: string): Promise<string> {
  const answer = await sandbox.run('team', () => ({ kind: 'code', source, input: `{"trigger":${trigger}}` }), never)
  assert('output' in answer, JSON.stringify(answer))
  return answer.output
}

async function faultOf(source: string, trigger: string): Promise<string> {
  const answer = await sandbox.run('team', () => ({ kind: 'code', source, input: `{"trigger":${trigger}}` }), never)
  assert('fault' in answer, JSON.stringify(answer))
  return answer.fault
}

test('code sees an integer past 2^53 as a BigInt, and returns its digits as a number', async () => {
  const trigger = '{"id":9007199254740995,"next":9007199254740996,"n":5,"text":"a 9007199254740995"}'
  assert.equal(await outputAsWritten('return input.trigger', trigger), trigger)
  const source =
    'const { id, n } = input.trigger; return [typeof id, typeof n, String(id), id + 2n, id === 9007199254740995n, 10n ** 20n]'
  const output = '["bigint","number","9007199254740995",9007199254740997,true,100000000000000000000]'
  assert.equal(await outputAsWritten(source, trigger), output)
})

test('code sees another number that a double does not hold as an object, which is written with its digits', async () => {
  const trigger = '{"a":1e400,"b":-0.123456789012345678901,"c":[1e400],"d":52.520006599999998}'
  assert.equal(
    await outputAsWritten('const { a, b, c } = input.trigger; return { a, b, c }', trigger),
    trigger.replace(/,"d.*/, '}'),
  )
  const source = 'const { a, b, c, d } = input.trigger; return [String(b), b * 2, a === c[0], a > 5, d]'
  assert.equal(
    await outputAsWritten(source, trigger),
    '["-0.123456789012345678901",-0.24691357802469135,true,true,52.520006599999995]',
  )
  assert.match(await faultOf('return input.trigger.a + 1', trigger), /1e400 has more digits than a JavaScript number/)
})

test('JSON that code reads and writes keeps the digits', async () => {
  const trigger = JSON.stringify({
    body: '{"id": 12345678901234567890, "b": [1e400, 0.5], "12345678901234567890": "x\\"1e5"}',
  })
  const source = 'return JSON.parse(input.trigger.body)'
  assert.equal(
    await outputAsWritten(source, trigger),
    '{"id":12345678901234567890,"b":[1e400,0.5],"12345678901234567890":"x\\"1e5"}',
  )
  const body = '{"id":12345678901234567890,"kept":true}'
  const write =
    'return JSON.stringify({ ...JSON.parse(input.trigger.body, (name, value) => name === "b" ? undefined : value), kept: true }, ["id", "kept"])'
  assert.equal(await outputAsWritten(write, trigger), JSON.stringify(body))
  for (const text of ['01234567890123456789', '1e400 2', '{"a":1e}']) {
    assert.equal(
      await outputAsWritten(
        `try { JSON.parse(${JSON.stringify(text)}); return 1 } catch (error) { return error.name }`,
        '{}',
      ),
      '"SyntaxError"',
    )
  }
})

test('a locale that the machine does not know is an error, and without one there is a result', async () => {
  for (const call of [
    '(1234.5).toLocaleString("de-DE")',
    '(5n).toLocaleString("en")',
    'new Date(0).toLocaleString("en", { timeZone: "UTC" })',
    'new Date(0).toLocaleDateString(undefined, { weekday: "long" })',
    'new Date(0).toLocaleTimeString([])',
    '[1234.5].toLocaleString("fr")',
    '[].toLocaleString("fr")',
    'new Float64Array(1).toLocaleString("fr")',
    '({}).toLocaleString("fr")',
    '"i".toLocaleUpperCase("tr")',
    '"I".toLocaleLowerCase(["tr"])',
    '"a".localeCompare("b", "sv")',
    '"a".localeCompare("b", undefined, { numeric: true })',
    '["b", "a"].sort((one, other) => one.localeCompare(other, "de"))',
    '(1).toLocaleString.call(5, "de")',
  ]) {
    assert.match(await faultOf(`return ${call}`, '{}'), /TypeError: \w+ knows no locales and no options here/, call)
  }
  const calls = ['(1234.5).toLocaleString()', 'new Date(0).toLocaleDateString(undefined)', '["b"].toLocaleString()']
  const source = `return [${calls}, "a".localeCompare("b") < 0, "A".toLocaleLowerCase()]`
  assert.equal(await outputAsWritten(source, '{}'), '["1234.5","01/01/1970","b",true,"a"]')
})
