import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSandbox, type Sandbox } from './sandbox.ts'
import type { Task } from './task.ts'

const never = new AbortController().signal
const endless = 'for (;;);'

function code(source: string): () => Task {
  return () => ({ kind: 'code', source, input: '{}' })
}

async function withSandbox(work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = createSandbox()
  try {
    await work(sandbox)
  } finally {
    await sandbox.close()
  }
}

test('a team with a thousand endless scripts does not starve another', () =>
  withSandbox(async (sandbox) => {
    let ended = 0
    const flood = Array.from({ length: 1000 }, () =>
      sandbox.run('flood', code(endless), never).then(
        () => ended++,
        () => undefined,
      ),
    )
    const answer = await sandbox.run('other', code('return 1'), never)
    assert.deepEqual(answer, { output: '1' })
    // Those that had begun before it, and one for each turn of its own.
    assert(ended <= 3, `${ended} of the flood came first`)
    await sandbox.close()
    await Promise.all(flood)
  }))

test('the process goes on with its own work while code runs', () =>
  withSandbox(async (sandbox) => {
    const running = sandbox.run('team', code(endless), never)
    let turns = 0
    let isOver = false
    const over = running.then(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    await over
    assert(turns > 100, `the loop turned ${turns} times`)
  }))

test('what is cancelled while it waits is never run', () =>
  withSandbox(async (sandbox) => {
    const running = [1, 2].map(() => sandbox.run('team', code(endless), never))
    const controller = new AbortController()
    const asked = () => assert.fail('it was run')
    const waiting = sandbox.run('team', asked, controller.signal)
    controller.abort(new Error('cancelled'))
    await assert.rejects(waiting, /cancelled/)
    await Promise.all(running)
  }))

test('closing ends what runs, and refuses what waits and what comes', () =>
  withSandbox(async (sandbox) => {
    const running = [1, 2, 3].map(() => sandbox.run('team', code(endless), never))
    const ends = running.map((run) => assert.rejects(run))
    await sandbox.close()
    await Promise.all(ends)
    await assert.rejects(sandbox.run('team', code('return 1'), never), { kind: 'unavailable' })
  }))
