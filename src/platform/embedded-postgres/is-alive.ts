import { readFileSync } from 'node:fs'

/**
 * Tells whether a process with this id runs, also if we may not signal it. One that ended and was never reaped does not
 * run.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return inspectProcess(pid)?.state !== 'Z'
}

/** The program's name and the letter of the process's state in proc(5). Null if the system has no /proc. */
export function inspectProcess(pid: number): { name: string; state: string } | null {
  try {
    const [, name, state] = /^\d+ \((.*)\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name !== undefined && state !== undefined ? { name, state } : null
  } catch {
    return null
  }
}
