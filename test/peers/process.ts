import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promptMs } from '../patience.ts'

export type PeerProcess = { output(): string; stop(): Promise<void> }

type Options = { cwd: string; env?: NodeJS.ProcessEnv; address: string; port: number }

/** Starts a mail server in the foreground, and waits until it listens. Throws with its output if it ends before. */
export async function startPeer(command: string, args: string[], options: Options): Promise<PeerProcess> {
  const { cwd, env = {}, address, port } = options
  // A group of its own, so that all its processes are ended together.
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  const peer = { output: () => output, stop: () => stop(child, ended) }
  process.once('exit', () => signal(child, 'SIGKILL'))
  const untilMs = performance.now() + promptMs
  while (!(await answers(address, port))) {
    if (child.exitCode !== null || performance.now() > untilMs) {
      await peer.stop()
      throw new Error(`${command} does not listen on ${address}:${port}:\n${output}`)
    }
    await sleep(100)
  }
  return peer
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, 'SIGTERM')
  await Promise.race([ended, sleep(5000, null, { ref: false })])
  signal(child, 'SIGKILL')
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, name)
  } catch {
    // The group has ended.
  }
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const settle = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket
      .once('data', () => settle(true))
      .once('error', () => settle(false))
      .once('close', () => settle(false))
    socket.setTimeout(2000, () => settle(false))
  })
}
