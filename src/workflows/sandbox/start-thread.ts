import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type Done, machinesMax, type Task, taskMaxMs } from './task.ts'

export type Thread = {
  /** The teams whose machines it keeps. */
  teamIds: string[]
  /** Runs one task at a time. Throws if the thread ended for another reason than the task. */
  run(teamId: string, task: Task): Promise<Done>
  stop(): Promise<void>
  /** True once no other task may run in it. */
  isSpent: boolean
}

/** A task stops when its time is over. A thread whose task does not is ended after this time. */
const patienceMs = taskMaxMs + 500

/**
 * The JavaScript heap of a thread; the memory of authors' code has its own limit. Far more than the largest input and
 * search take, since a thread that exceeds it ends the process.
 */
const heapMaxMb = 512
/** Larger than the machine's stack, so that an endless recursion is an error of the code. */
const stackMb = 16

let compiled: Promise<WebAssembly.Module> | undefined

/** Starts a thread without the environment and the input of the process. It does not keep the process from ending. */
export async function startThread(): Promise<Thread> {
  compiled ??= compileQuickJs().catch((error) => {
    compiled = undefined
    throw error
  })
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'sandbox',
    workerData: { wasmModule: await compiled },
    env: {},
    execArgv: [],
    // QuickJS writes there why it aborts.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb, maxYoungGenerationSizeMb: 16, stackSizeMb: stackMb },
  })
  const ready = Promise.withResolvers<void>()
  let answered: PromiseWithResolvers<Done> | undefined
  const thread: Thread = { teamIds: [], isSpent: false, run, stop }
  const die = (error: Error) => {
    thread.isSpent = true
    ready.reject(error)
    answered?.reject(error)
  }
  worker.on('error', die)
  worker.on('exit', () => die(new Error('A thread of the sandbox ended.')))
  worker.on('message', (done: Done | 'ready') => (done === 'ready' ? ready.resolve() : answered?.resolve(done)))
  await ready.promise
  worker.unref()
  return thread

  async function run(teamId: string, task: Task): Promise<Done> {
    if (task.kind === 'code')
      thread.teamIds = [teamId, ...thread.teamIds.filter((id) => id !== teamId)].slice(0, machinesMax)
    answered = Promise.withResolvers()
    worker.ref()
    worker.postMessage({ teamId, task })
    const timer = setTimeout(giveUp, patienceMs, answered)
    try {
      const done = await answered.promise
      if ('spent' in done.answer) void stop()
      return done
    } finally {
      clearTimeout(timer)
      worker.unref()
    }
  }

  function giveUp(late: PromiseWithResolvers<Done>): void {
    const answer: Done['answer'] = { fault: `It took longer than ${taskMaxMs / 1000} s.`, spent: true }
    // An answer that has arrived already, while this process was busy, comes first.
    setImmediate(() => late.resolve({ answer, ms: patienceMs }))
  }

  async function stop(): Promise<void> {
    thread.isSpent = true
    await worker.terminate()
  }
}

async function compileQuickJs(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return WebAssembly.compile(await readFile(path))
}
