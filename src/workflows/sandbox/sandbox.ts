import type { App } from '../../context.ts'
import { unavailable } from '../../platform/errors.ts'
import { perApp } from '../../platform/per-app.ts'
import { createFairQueue, type Taken } from './fair-queue.ts'
import { startThread, type Thread } from './start-thread.ts'
import type { Answer, Task } from './task.ts'

/** The threads for all code and searches of authors. Slow teams never have both. */
const threadsMax = 2

type Waiting = { task(): Task; answered: PromiseWithResolvers<Answer> }

/** Runs authors' code and searches in threads. */
export type Sandbox = {
  /**
   * Runs a task. `task` is called when its turn comes, so that waiting tasks take no memory. Throws once `signal` is
   * aborted.
   */
  run(teamId: string, task: () => Task, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/** The sandbox of an app; its threads start when they are first needed. */
export const sandboxOf = perApp(createSandbox)

export function closeSandbox(app: App): Promise<void> {
  return sandboxOf(app).close()
}

export function createSandbox(): Sandbox {
  const queue = createFairQueue<Waiting>(threadsMax)
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const running = new Set<Promise<void>>()
  let closed = false

  function pump(): void {
    for (let taken = queue.take(hasMachine); taken; taken = queue.take(hasMachine)) {
      const served = serve(taken).finally(() => {
        running.delete(served)
        pump()
      })
      running.add(served)
    }
  }

  async function serve({ teamId, item: { task, answered }, end }: Taken<Waiting>): Promise<void> {
    const began = performance.now()
    let usedMs: number | undefined
    try {
      const asked = task()
      const thread = takeIdle(teamId) ?? (await start())
      try {
        const { answer, ms } = await thread.run(teamId, asked)
        usedMs = ms
        answered.resolve(answer)
      } finally {
        await free(thread)
      }
    } catch (error) {
      answered.reject(error)
    } finally {
      end(usedMs ?? performance.now() - began)
    }
  }

  /** True if an idle thread has a machine for this team. Making one takes longer than most code. */
  function hasMachine(teamId: string): boolean {
    return idle.some(({ teamIds }) => teamIds.includes(teamId))
  }

  function takeIdle(teamId: string): Thread | undefined {
    const found = idle.findIndex(({ teamIds }) => teamIds.includes(teamId))
    const [thread] = idle.splice(Math.max(found, 0), 1)
    if (!thread?.isSpent) return thread
    all.delete(thread)
    return takeIdle(teamId)
  }

  /** Returns a thread, or replaces it. The time to start the next one counts for the team whose task ended it. */
  async function free(thread: Thread): Promise<void> {
    if (!thread.isSpent) return void idle.push(thread)
    all.delete(thread)
    if (!closed) idle.push(await start())
  }

  async function start(): Promise<Thread> {
    const thread = await startThread()
    all.add(thread)
    if (!closed) return thread
    await thread.stop()
    throw stopping()
  }

  return {
    async run(teamId, task, signal) {
      if (closed) throw stopping()
      signal.throwIfAborted()
      const answered = Promise.withResolvers<Answer>()
      const leave = queue.add(teamId, { task, answered })
      function abort(): void {
        leave()
        answered.reject(signal.reason)
      }
      signal.addEventListener('abort', abort)
      pump()
      return answered.promise.finally(() => signal.removeEventListener('abort', abort))
    },
    async close() {
      closed = true
      for (const { answered } of queue.clear()) answered.reject(stopping())
      await Promise.all([...all].map((thread) => thread.stop()))
      await Promise.all(running)
    },
  }
}

function stopping() {
  return unavailable('This process is stopping.')
}
