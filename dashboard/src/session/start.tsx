import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keys } from '../api/keys.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Loading } from '../ui/states.tsx'
import { Door } from './door.tsx'
import { openSession } from './me.ts'

let opening: Promise<unknown> | undefined

/** Signs in by the link that the first start prints. The token is behind `#`, so that no log holds it. */
export default function Start() {
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: keys.part('auth/start', 'start'),
    queryFn: () => {
      opening ??= openSession({ startToken: readToken() })
      return opening
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data) void navigate({ to: '/' as never, replace: true })
  }, [data, navigate])
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

/** Reads the token and takes it out of the address, so that it does not stay in the history. */
function readToken(): string {
  const token = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname)
  return token === '' ? 'missing' : token
}
