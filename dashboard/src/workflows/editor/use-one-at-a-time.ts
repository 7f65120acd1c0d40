import { useRef, useState } from 'react'

/** Does one thing at a time. `run` returns false while another is under way, and after a failure, which is then the `error`. */
export function useOneAtATime() {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string | null>(null)
  const isBusy = useRef(false)
  async function run(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (isBusy.current) return false
    isBusy.current = true
    setBusy(name)
    setError(undefined)
    try {
      return await work()
    } catch (thrown) {
      setError(thrown)
      return false
    } finally {
      isBusy.current = false
      setBusy(null)
    }
  }
  return { error, busy, isBusy, run }
}
