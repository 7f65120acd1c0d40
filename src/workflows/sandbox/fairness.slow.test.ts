// needs: alone
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

/** Runs endless scripts until the sandbox closes. Returns a function that counts those that have ended. */
function flood(sandbox: Sandbox, teamIds: string[]): () => number {
  let ended = 0
  const count = () => void ended++
  const ignore = () => undefined
  for (let script = 0; script < 200; script++)
    for (const teamId of teamIds) sandbox.run(teamId, code(endless), never).then(count, ignore)
  return () => ended
}

test('a team with hundreds of endless scripts delays no other team', () =>
  withSandbox(async (sandbox) => {
    // The threads start before the time is measured.
    await Promise.all(['one', 'two'].map((teamId) => sandbox.run(teamId, code('return 1'), never)))
    const ended = flood(sandbox, ['flood'])
    assert.deepEqual(await sandbox.run('other', code('return 1'), never), { output: '1' })
    assert.equal(ended(), 0)
  }))

test('hundreds of short scripts run while five teams have only endless ones', () =>
  withSandbox(async (sandbox) => {
    const ended = flood(sandbox, ['a', 'b', 'c', 'd', 'e'])
    const beganMs = performance.now()
    for (let script = 0; script < 400; script++) await sandbox.run('honest', code('return 1'), never)
    const seconds = (performance.now() - beganMs) / 1000
    // One of each team, and then one a second in the other thread. If short scripts waited for endless ones, those
    // would end in both threads.
    assert(ended() < 10 + 1.2 * seconds, `${ended()} endless scripts came first, in ${seconds} s`)
  }))

test('the process does its own work while code runs', () =>
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

test('code that is cancelled while it waits is never run', () =>
  withSandbox(async (sandbox) => {
    const running = [1, 2].map(() => sandbox.run('team', code(endless), never))
    const controller = new AbortController()
    const asked = () => assert.fail('it was run')
    const waiting = sandbox.run('team', asked, controller.signal)
    controller.abort(new Error('cancelled'))
    await assert.rejects(waiting, /cancelled/)
    await Promise.all(running)
  }))

test('code that is cancelled while it runs ends at once for its caller', () =>
  withSandbox(async (sandbox) => {
    const controller = new AbortController()
    const running = sandbox.run('team', code(endless), controller.signal)
    const next = sandbox.run('team', code('return 1'), never)
    let nextIsOver = false
    const over = next.then(() => {
      nextIsOver = true
    })
    controller.abort(new Error('cancelled'))
    await assert.rejects(running, /cancelled/)
    assert(!nextIsOver)
    await over
  }))

test('closing ends running code, and refuses waiting and new code', () =>
  withSandbox(async (sandbox) => {
    const running = [1, 2, 3].map(() => sandbox.run('team', code(endless), never))
    const ends = running.map((run) => assert.rejects(run))
    await sandbox.close()
    await Promise.all(ends)
    await assert.rejects(sandbox.run('team', code('return 1'), never), { kind: 'unavailable' })
  }))
