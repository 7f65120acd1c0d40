import { useEffect, useRef, useState } from 'react'
import { ButtonLink } from '../../ui/button/button.tsx'
import { Loading } from '../../ui/frame/states.tsx'
import { useGo } from '../../ui/go/use-go.ts'
import { Fault } from '../../ui/text/fault.tsx'
import { openSession } from '../me.ts'
import { Door } from './door.tsx'

/** Signs in by the link that the first start prints. The token is behind `#`, so that no log holds it. */
export default function Start() {
  const error = useOpening()
  return (
    <Door title="Signing in">
      {error ? (
        <>
          <Fault error={error} />
          <p>
            The link works once, within ten minutes of the first start. Sign in with your email and password instead.
          </p>
          <ButtonLink to="/sign-in" kind="main">
            Sign in
          </ButtonLink>
        </>
      ) : (
        <Loading lines={2} />
      )}
    </Door>
  )
}

/**
 * Opens the session and leads to the Overview. Returns why not. Not a query: `openSession` empties the cache of
 * queries.
 */
function useOpening(): unknown {
  const go = useGo()
  const [token] = useState(() => location.hash.slice(1) || 'missing')
  const [error, setError] = useState<unknown>()
  // React runs an effect twice in development; the token works once.
  const opening = useRef<Promise<unknown>>(undefined)
  useEffect(() => {
    let isShown = true
    // The token does not stay in the history.
    history.replaceState(history.state, '', location.pathname)
    opening.current ??= openSession({ startToken: token })
    opening.current.then(
      () => isShown && void go('/', { replace: true }),
      (thrown) => isShown && setError(thrown),
    )
    return () => {
      isShown = false
    }
  }, [token, go])
  return error
}
