import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { type Need, needOf, needs, runSideBySide, shareOf, type Work } from './side-by-side.ts'

const files = globSync('{src,test}/**/*.slow.test.ts')

test('every slow file names a need of the machine that there is', () => {
  const unknown = files.filter((file) => needOf(file) === null)
  assert.deepEqual(unknown, [], `after "// needs: " comes one of ${needs.join(', ')}`)
})

test('test processes run side by side as their needs allow, those that measure run alone, and a failure of one fails the run', async () => {
  const cores = 2
  const running = new Set<Work>()
  let [most, begun] = [0, 0]
  const work = (need: Need, code = 0): Work => {
    const made: Work = {
      need,
      async run() {
        running.add(made)
        begun++
        const taken = [...running].reduce((sum, each) => sum + shareOf(each.need), 0)
        assert.ok(taken <= cores * 5)
        if (need === 'alone') assert.equal(running.size, 1)
        most = Math.max(most, running.size)
        await new Promise(setImmediate)
        running.delete(made)
        return code
      },
    }
    return made
  }
  const passing = Array.from({ length: 16 }).flatMap(() => needs.map((need) => work(need)))
  assert.equal(await runSideBySide(passing, cores), 0)
  // One that computes, and as many that wait as fit beside it, or those that wait alone.
  assert.equal(most, 10)
  assert.equal(begun, passing.length)
  assert.equal(await runSideBySide([...passing, work('waiting', 1)], cores), 1)
})
