import { useNavigate } from '@tanstack/react-router'
import { onProofNeeded } from '../api/call.ts'
import { client } from '../api/client.ts'

/** Leads to *Sign in* after the session has ended by the person's own doing, and forgets what was shown. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    onProofNeeded(null)
    await navigate({ to: '/sign-in' as never })
    client.clear()
  }
}
