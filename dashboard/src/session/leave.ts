import { proofAsker } from '../api/call.ts'
import { client, fetchNothing } from '../api/client.ts'
import { useOpenAddress } from '../ui/go/use-go.ts'
import { forgetTyping } from './kept-typing.ts'
import { forgetSession } from './me.ts'

/**
 * Ends the session by `end`, leads to *Sign in* or `to`, and forgets what was shown and typed. If `end` fails, all
 * stays. Until it is answered nothing is fetched again: the session may have ended already, and the requests would be
 * refused.
 */
export function useLeave(): (end: () => Promise<unknown>, to?: string) => Promise<void> {
  const openAddress = useOpenAddress()
  return (end, to = '/sign-in') =>
    fetchNothing(async () => {
      await end()
      proofAsker.set(null)
      forgetTyping()
      forgetSession()
      await openAddress(to)
      client.clear()
    })
}
