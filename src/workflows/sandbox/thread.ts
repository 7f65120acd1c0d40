import { parentPort, workerData } from 'node:worker_threads'
import { createLru } from '../../platform/lru.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { findByJsonPath } from '../jsonpath/find.ts'
import { createMachine, type Machine } from './machine.ts'
import { runCode } from './run-code.ts'
import { type Answer, type Done, machinesMax, outputMax, type Task } from './task.ts'

/**
 * A thread of the sandbox, which runs one task after the other. It has no environment, no input and no access to the
 * app. The app ends the thread if a task exceeds its time.
 */
const { wasmModule }: { wasmModule: WebAssembly.Module } = workerData

/** The runs in one machine. Each has its own runtime. */
const runsMax = 50
/** By team, since a machine never runs the code of two teams. */
const machines = createLru<{ machine: Machine; runs: number }>({ countMax: machinesMax })

parentPort!.on('message', ({ teamId, task }: { teamId: string; task: Task }) => void run(teamId, task))
parentPort!.postMessage('ready')

async function run(teamId: string, task: Task): Promise<void> {
  const began = performance.now()
  const answer = task.kind === 'code' ? await runInMachine(teamId, task) : findInTime(task)
  parentPort!.postMessage({ answer, ms: performance.now() - began } satisfies Done)
}

async function runInMachine(teamId: string, task: Task & { kind: 'code' }): Promise<Answer> {
  const { machine, runs } = machines.get(teamId) ?? { machine: await createMachine(wasmModule), runs: 0 }
  machines.delete(teamId)
  const answer = runCode(machine, task)
  if (runs + 1 < runsMax && !machine.hasGrown()) machines.set(teamId, { machine, runs: runs + 1 })
  return answer
}

function findInTime({ expression, input, same }: Task & { kind: 'jsonpath' }): Answer {
  try {
    const root = parseExactly(input) as Record<string, unknown>
    if (same) root[same[1]] = root[same[0]]
    return { output: findByJsonPath(expression, root, outputMax) }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}
