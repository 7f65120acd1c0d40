import { useRef, useState } from 'react'

/**
 * Does one thing after the other, in the order in which they are asked for. `run` returns false after a failure, which
 * is then the `error`. `busy` names what is under way or waits.
 */
export function useOneAtATime() {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<readonly string[]>([])
  const waiting = useRef<readonly string[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const note = (names: readonly string[]) => {
    waiting.current = names
    setBusy(names)
  }
  async function work(todo: () => Promise<boolean>): Promise<boolean> {
    setError(undefined)
    try {
      return await todo()
    } catch (thrown) {
      setError(thrown)
      return false
    } finally {
      note(waiting.current.slice(1))
    }
  }
  function run(name: string, todo: () => Promise<boolean>): Promise<boolean> {
    note([...waiting.current, name])
    const done = last.current.then(() => work(todo))
    last.current = done
    return done
  }
  return { error, busy, isBusy: () => waiting.current.length > 0, run }
}
