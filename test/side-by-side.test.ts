import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { needOf, needs, runSideBySide } from './side-by-side.ts'

const files = globSync('{src,test}/**/*.slow.test.ts')

test('every slow file names a need of the machine that there is', () => {
  const unknown = files.filter((file) => needOf(file) === null)
  assert.deepEqual(unknown, [], `after "// needs: " comes one of ${needs.join(', ')}`)
})

test('slow files run side by side as their needs allow, those that measure run alone, and a failure of one fails the run', async () => {
  const cores = 2
  const running = new Set<string>()
  let most = 0
  const begun: string[] = []
  const run = (code: number) => (file: string) => async () => {
    running.add(file)
    begun.push(file)
    const shares = [...running].reduce((sum, each) => sum + (needOf(each) === 'waiting' ? 0.5 : 1), 0)
    assert.ok(shares <= cores)
    if (needOf(file) === 'alone') assert.equal(running.size, 1)
    most = Math.max(most, running.size)
    await new Promise(setImmediate)
    running.delete(file)
    return code
  }
  const passing = files.map((file) => ({ file, run: run(0)(file) }))
  assert.equal(await runSideBySide(passing, cores), 0)
  assert.equal(most, 4)
  assert.deepEqual(begun.toSorted(), files.toSorted())
  const [first, ...others] = passing
  assert.equal(await runSideBySide([{ ...first!, run: run(1)(first!.file) }, ...others], cores), 1)
})
