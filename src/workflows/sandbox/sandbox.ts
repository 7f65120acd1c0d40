import type { App } from '../../context.ts'
import { unavailable } from '../../platform/errors.ts'
import { createFairQueue } from './fair-queue.ts'
import { startThread, type Thread } from './start-thread.ts'
import type { Answer, Task } from './task.ts'

/** Whatever authors write runs in these, and takes no more of the machine than they do. */
const threadsMax = 2

type Waiting = { task(): Task; signal: AbortSignal; answered: PromiseWithResolvers<Answer> }

/** What runs authors' code and searches, off the main thread. */
export type Sandbox = {
  /** `task` is asked for when its turn comes: what waits takes no memory. Throws where `signal` is aborted first. */
  run(teamId: string, task: () => Task, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const sandboxes = new WeakMap<App, Sandbox>()

/** Of this app; its threads are started as they are needed. */
export function sandboxOf(app: App): Sandbox {
  const sandbox = sandboxes.get(app) ?? createSandbox()
  sandboxes.set(app, sandbox)
  return sandbox
}

export async function closeSandbox(app: App): Promise<void> {
  await sandboxes.get(app)?.close()
}

export function createSandbox(): Sandbox {
  const queue = createFairQueue<Waiting>()
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const running = new Set<Promise<void>>()
  let closed = false

  /** Every thread that is free takes what comes next. */
  function pump(): void {
    while (running.size < threadsMax) {
      const next = queue.take()
      if (!next) return
      const served = serve(next.teamId, next.item).finally(() => {
        running.delete(served)
        pump()
      })
      running.add(served)
    }
  }

  async function serve(teamId: string, { task, signal, answered }: Waiting): Promise<void> {
    try {
      signal.throwIfAborted()
      const asked = task()
      const thread = takeIdle(teamId) ?? (await startThread())
      all.add(thread)
      if (closed) {
        await thread.stop()
        throw stopping()
      }
      try {
        answered.resolve(await thread.run(teamId, asked))
      } finally {
        if (thread.isSpent) all.delete(thread)
        else idle.push(thread)
      }
    } catch (error) {
      answered.reject(error)
    }
  }

  /** One that this team had last is quicker: another team gets a machine of its own. */
  function takeIdle(teamId: string): Thread | undefined {
    const found = idle.findIndex((thread) => thread.teamId === teamId)
    const [thread] = idle.splice(Math.max(found, 0), 1)
    return thread?.isSpent ? takeIdle(teamId) : thread
  }

  return {
    async run(teamId, task, signal) {
      if (closed) throw stopping()
      const answered = Promise.withResolvers<Answer>()
      queue.add(teamId, { task, signal, answered })
      pump()
      return answered.promise
    },
    async close() {
      closed = true
      for (let next = queue.take(); next; next = queue.take()) {
        next.item.answered.reject(stopping())
      }
      await Promise.all([...all].map((thread) => thread.stop()))
      await Promise.all(running)
    },
  }
}

function stopping() {
  return unavailable('This process is stopping.')
}
