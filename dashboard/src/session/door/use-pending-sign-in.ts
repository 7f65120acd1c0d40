import { useEffect, useState } from 'react'

/**
 * Returns the token of a sign-in through a provider that waits for the code of the second factor, and takes it out of
 * the address. Null without one.
 */
export function usePendingSignIn(): string | null {
  const [pending] = useState(() => new URLSearchParams(location.hash.slice(1)).get('pending'))
  useEffect(() => {
    if (pending !== null) history.replaceState(history.state, '', location.pathname + location.search)
  }, [pending])
  return pending
}
