import asyncHooks from 'node:async_hooks'

/**
 * Tells node:test which test is running, without its async hook. node:test follows every promise of the process to find
 * the test that a call belongs to, which takes about a fifth of the processor time of a run. Here the tests of a
 * process run one after the other, so the test that was entered last is the answer.
 *
 * Import this module before node:test; imported later, it has no effect. It changes what node:test finds in
 * node:async_hooks while it loads, and nothing else. With a Node whose node:test is built differently, call sites fail
 * at once, as no test is found.
 */

/** The fields of a test of node:test that this module reads. */
type RunningTest = { reportedType: string; finished: boolean; parent: RunningTest | null; parentTest?: RunningTest }
type Init = (id: number, type: string, trigger: number, resource: object) => void

const { AsyncResource, createHook, executionAsyncId } = asyncHooks
/** Ids of async resources are positive, so these two are never those of a resource. */
const [idOfTest, idOfNone] = [-1, -2]
let entered: RunningTest | null = null
let register: Init | null = null

class Entering extends AsyncResource {
  override runInAsyncScope<This, Result>(run: (this: This, ...args: never[]) => Result, self?: This, ...args: never[]) {
    // Other resources of node:test, such as that of its reporter, are not tests.
    if (!('nesting' in this)) return super.runInAsyncScope(run as never, self, ...args) as Result
    const around = entered
    const test = this as unknown as RunningTest
    entered = test
    const result = super.runInAsyncScope(run as never, self, ...args) as Result
    if (test.reportedType === 'suite') leaveAfter(result, around)
    return result
  }
}

/** The body of a suite only declares its tests. What follows it belongs to the suite around it again. */
function leaveAfter(body: unknown, around: RunningTest | null): void {
  const leave = () => {
    entered = around
  }
  if (body instanceof Promise) body.then(leave, leave)
  else leave()
}

/** Returns the test that was entered last, or the nearest one around it that still runs. */
function runningTest(): RunningTest | null {
  let test = entered
  while (test && (test.finished || test.parentTest)) test = test.parentTest ?? test.parent
  return test
}

Object.assign(asyncHooks, {
  AsyncResource: Entering,
  createHook: (callbacks: { init: Init }) => {
    register = callbacks.init
    return { enable: () => undefined, disable: () => undefined }
  },
  executionAsyncId: () => {
    const test = runningTest()
    if (!test || !register) return idOfNone
    register(idOfTest, 'Test', 0, test)
    return idOfTest
  },
})
await import('node:test')
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })

/** Lets the next suite be one of the process and not of the test that was entered last. */
export function leaveTests(): void {
  entered = null
}
