import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Sink = {
  port: number
  pid: number
  taken(): Promise<number>
  /** Requests whose path came before; only `http-sink.ts` tells them apart. */
  repeated(): Promise<number>
  stop(): void
}

type File = 'smtp-sink.ts' | 'webhook-sink.ts' | 'http-sink.ts'

/** Starts the discard server of one of these files in a separate process. */
export async function startSink(file: File = 'smtp-sink.ts'): Promise<Sink> {
  const child = fork(new URL(file, import.meta.url), { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  async function ask(): Promise<{ taken: number; repeated?: number }> {
    child.send('how many')
    const [answer] = await once(child, 'message')
    return answer
  }
  return {
    port,
    pid: child.pid!,
    taken: async () => (await ask()).taken,
    repeated: async () => (await ask()).repeated ?? 0,
    stop: () => child.disconnect(),
  }
}

/** Returns the settings that make Posthorn send its emails to the sink. */
export function relayTo(sink: Sink): Record<string, string> {
  return { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` }
}
