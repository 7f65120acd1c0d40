import { useEffect, useState } from 'react'

/**
 * Lets Enter wait for the answer to what is typed: the options that are shown until then may be of an earlier text.
 * `press` is for the key, `forget` for what is done before the answer is there.
 */
export function useWaitingEnter(isAnswered: boolean, choose: () => void) {
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || !isAnswered) return
    setWaiting(false)
    choose()
  })
  return {
    isWaiting,
    press: () => (isAnswered ? choose() : setWaiting(true)),
    forget: () => setWaiting(false),
  }
}
