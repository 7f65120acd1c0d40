import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Sink = { port: number; pid: number; taken(): Promise<number>; stop(): void }

/** The discard server of `smtp-sink.ts` or `webhook-sink.ts`, in a process of its own. */
export async function startSink(file: 'smtp-sink.ts' | 'webhook-sink.ts' = 'smtp-sink.ts'): Promise<Sink> {
  const child = fork(new URL(file, import.meta.url), { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    pid: child.pid!,
    async taken() {
      child.send('how many')
      const [answer] = (await once(child, 'message')) as [{ taken: number }]
      return answer.taken
    },
    stop: () => child.disconnect(),
  }
}
