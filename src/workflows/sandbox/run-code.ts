import { randomBytes } from 'node:crypto'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { mayHoldExact } from '../../platform/numbers/exact-number.ts'
import { type HarnessParts, harnessOf, partsFor } from './harness.ts'
import type { Machine } from './machine.ts'
import { exactSource, markNumbers, unmarkNumbers } from './marked-numbers.ts'
import { type Answer, depthMax, faultMax, type Task, taskMaxMs } from './task.ts'

/**
 * Smaller than the stack of the machine, so that an endless recursion is an error of the code and does not break the
 * machine.
 */
const stackMaxBytes = 512 * 1024
/** The jobs that run between two checks of the time. */
const jobsAtATime = 1000

type CodeTask = Omit<Task & { kind: 'code' }, 'kind'>

/** Runs the body of an async function with `input` in scope. Its result is the output. */
export function runCode(machine: Machine, task: CodeTask): Answer {
  // No text of the input can hold the mark.
  const mark = `#${randomBytes(6).toString('base64url')}`
  const input = mayHoldExact(task.input) ? markNumbers(task.input, mark) : task.input
  const parts = partsFor(task.source, input !== task.input)
  const runtime = machine.quickjs.newRuntime()
  const deadline = performance.now() + taskMaxMs
  let isLate = false
  const isOver = () => {
    isLate ||= performance.now() > deadline
    return isLate
  }
  runtime.setInterruptHandler(isOver)
  runtime.setMaxStackSize(stackMaxBytes)
  const context = runtime.newContext()
  try {
    const text = evaluate(runtime, context, { ...task, input, mark, parts, isOver })
    if (isLate) return { fault: `The code ran longer than ${taskMaxMs / 1000} s.`, spent: true }
    const answer = readOutcome(text && unmarkNumbers(text, mark), machine.isFull())
    context.dispose()
    runtime.dispose()
    return answer
  } catch (error) {
    // A full memory or stack breaks the machine and has no outcome.
    return { fault: machine.isFull() ? tooLarge : `The code was stopped: ${(error as Error).message}`, spent: true }
  }
}

const tooLarge = 'The code needed more than 32 MiB of memory.'

/** Evaluates the code, and returns the outcome that the harness wrote, or undefined. */
function evaluate(
  runtime: QuickJSRuntime,
  context: QuickJSContext,
  { source, input, same, mark, parts, isOver }: CodeTask & { mark: string; parts: HarnessParts; isOver(): boolean },
): string | undefined {
  const make = context.unwrapResult(context.evalCode(harnessOf(parts), 'posthorn'))
  const given = [context.newString(mark), parts.numbers ? context.newString(exactSource) : context.undefined]
  const pair = context.unwrapResult(context.callFunction(make, context.undefined, ...given))
  const [start, outcome] = [context.getProp(pair, 0), context.getProp(pair, 1)]
  const compiled = context.evalCode(`(async function (input) {${source}\n})`, 'code')
  const handles: QuickJSHandle[] = [make, ...given, pair, start, outcome]
  try {
    if (compiled.error) {
      handles.push(compiled.error)
      return JSON.stringify({ error: context.dump(compiled.error) })
    }
    const texts = [input, ...(same ?? [])].map((text) => context.newString(text))
    handles.push(compiled.value, ...texts)
    const begun = context.callFunction(start, context.undefined, compiled.value, ...texts)
    handles.push(begun.error ?? begun.value)
    if (begun.error) return JSON.stringify({ error: context.dump(begun.error) })
    while (runtime.hasPendingJob() && !isOver()) runtime.executePendingJobs(jobsAtATime).dispose()
    const written = context.unwrapResult(context.callFunction(outcome, context.undefined))
    handles.push(written)
    return context.typeof(written) === 'string' ? context.getString(written) : undefined
  } finally {
    for (const handle of handles) handle.dispose()
  }
}

function readOutcome(text: string | undefined, isFull: boolean): Answer {
  if (text === undefined)
    return isFull ? { fault: tooLarge, spent: true } : { fault: 'The code returned a promise that never settles.' }
  if (text.startsWith('{"output":')) {
    const output = text.slice('{"output":'.length, -1)
    return isDeep(output) ? { fault: `The output is nested deeper than ${depthMax} levels.` } : { output }
  }
  const { refusal, error } = JSON.parse(text)
  // QuickJS throws null if it has no memory for an error.
  if (error?.message?.startsWith?.('out of memory') || (isFull && error?.message === 'null'))
    return { fault: tooLarge, spent: true }
  return { fault: refusal ?? describeError(error) }
}

function isDeep(json: string): boolean {
  let depth = 0
  let deepest = 0
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (part === '[' || part === '{') deepest = Math.max(deepest, ++depth)
    else if (part === ']' || part === '}') depth--
  }
  return deepest > depthMax
}

/** An error as QuickJS describes it. The code can set any of its members. */
type TheirError = { name?: unknown; message?: unknown; stack?: unknown } | undefined

/**
 * Describes an error as `TypeError: cannot read property 'x' of null (line 3)`, with the line of the author's source.
 * Shortens it, since an error from outside of the harness may be as long as the memory allows.
 */
function describeError(error: TheirError): string {
  const name = typeof error?.name === 'string' && error.name !== '' ? `${error.name.slice(0, faultMax)}: ` : ''
  const line = typeof error?.stack === 'string' ? /\bcode:(\d{1,9})/.exec(error.stack)?.[1] : undefined
  const message =
    typeof error?.message === 'string' ? error.message.slice(0, faultMax) : 'an error that cannot be shown'
  return `${name}${message}${line === undefined ? '' : ` (line ${line})`}`
}
