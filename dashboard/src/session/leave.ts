import { useNavigate } from '@tanstack/react-router'
import { onProofNeeded } from '../api/call.ts'
import { client } from '../api/client.ts'
import { forgetDrafts } from '../ui/kept-drafts.ts'

/** Leads to *Sign in* after the session has ended by the person's own doing, and forgets what was shown and typed. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    onProofNeeded(null)
    forgetDrafts()
    await navigate({ to: '/sign-in' as never })
    client.clear()
  }
}
