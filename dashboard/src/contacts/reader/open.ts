import type { Answered, TaskName, Tasks } from './protocol.ts'

/** The frame that starts `worker.ts` as a worker. The build puts its address here. */
declare const WORKER_FRAME: string

export type Reader = {
  /** Does a task in the worker. Throws an error with the words for the reader. */
  ask<Name extends TaskName>(name: Name, input: Tasks[Name]['input']): Promise<Tasks[Name]['output']>
  close(): void
}

type Waiting = { resolve(output: unknown): void; reject(error: Error): void }

/** Starts the worker that reads files, so that a large one does not hold up the page. */
export function openReader(): Reader {
  const { port1, port2 } = new MessageChannel()
  const frame = document.createElement('iframe')
  frame.src = WORKER_FRAME
  frame.title = 'Reader of files'
  frame.hidden = true
  frame.onload = () => frame.contentWindow!.postMessage(null, location.origin, [port2])
  document.body.append(frame)
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  port1.onmessage = ({ data }: MessageEvent<Answered>) => {
    const its = waiting.get(data.id)
    waiting.delete(data.id)
    if ('fault' in data) its?.reject(new Error(data.fault))
    else its?.resolve(data.output)
  }
  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        port1.postMessage({ id, name, input })
      }),
    close() {
      port1.close()
      frame.remove()
    },
  }
}
