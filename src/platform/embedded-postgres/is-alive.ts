import { readFileSync } from 'node:fs'

/** Whether a process with this id runs, ours to signal or not. One that ended and was never reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return inspectProcess(pid)?.state !== 'Z'
}

/** The program's name, and the letter of the process's state in proc(5). Null where the system has no /proc to ask. */
export function inspectProcess(pid: number): { name: string; state: string } | null {
  try {
    const [, name, state] = /^\d+ \((.*)\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name !== undefined && state !== undefined ? { name, state } : null
  } catch {
    return null
  }
}
