import { readdir, readFile } from 'node:fs/promises'

/** Returns a process and its descendants, from /proc on Linux; empty on other systems. */
async function treeOf(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const fields = await statFields(Number(name))
    if (fields) parents.set(Number(name), Number(fields[1]))
  }
  const tree = [root]
  for (let index = 0; index < tree.length; index++) {
    for (const [pid, parent] of parents) if (parent === tree[index]) tree.push(pid)
  }
  return tree
}

/** Returns the fields after the name in parentheses: state, parent and so on. */
async function statFields(pid: number): Promise<string[] | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : null
}

/** Returns the proportional set size in MiB, which counts a shared page once. Null if the system does not report it. */
export async function memoryMiB(root: number): Promise<number | null> {
  let total = 0
  for (const pid of await treeOf(root)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    total += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0)
  }
  return total > 0 ? total / 1024 : null
}

const ticksPerSecond = 100 // USER_HZ, the same on every Linux that Node runs on

/** Returns the processor time so far: of the process, and of its descendants. */
export async function cpuSeconds(root: number): Promise<{ own: number; below: number }> {
  const spent = async (pid: number, last: number) => {
    const fields = await statFields(pid)
    const ticks = fields?.slice(11, last + 1).reduce((sum, each) => sum + Number(each), 0) ?? 0
    return ticks / ticksPerSecond
  }
  const [, ...below] = await treeOf(root)
  // Includes ended processes, because a database starts and ends many.
  const seconds = await Promise.all(below.map((pid) => spent(pid, 14)))
  return { own: await spent(root, 12), below: seconds.reduce((sum, each) => sum + each, 0) }
}

export function inMiB(memory: number | null): string {
  return memory === null ? 'unknown' : `${memory.toFixed(0)} MiB`
}
