type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs the work of one key one after the other, in the order of calls. The callers bound how much waits. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const leave = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}
