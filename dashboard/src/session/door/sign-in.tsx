import { useEffect, useState } from 'react'
import { Refusal } from '../../api/refusal.ts'
import { post } from '../../api/request.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { useOpenAddress } from '../../ui/go/use-go.ts'
import { Fault } from '../../ui/text/fault.tsx'
import { CodeField } from '../code-field.tsx'
import { noteSessionEnded } from '../kept-typing.ts'
import { openSession } from '../me.ts'
import { useSignInOptions } from '../options.ts'
import { SignInForm } from '../sign-in-form.tsx'
import { Door } from './door.tsx'
import { safeNext, withNext } from './safe-next.ts'
import { Ways } from './ways.tsx'

export default function SignIn() {
  const [address] = useAddress()
  const openAddress = useOpenAddress()
  const options = useSignInOptions()
  const next = safeNext(address.next)
  const search = withNext(address.next)
  const pending = usePendingSignIn()
  useEffect(noteSessionEnded, [])
  const enter = () => void openAddress(next, { replace: true })
  return (
    <Door title="Sign in">
      {address.failed && <Fault error={new Error(wordsOf(address.failed))} />}
      {pending === null ? <SignInForm onDone={enter} /> : <SecondFactor pending={pending} onDone={enter} />}
      {options && <Ways providers={options.providers} next={next} />}
      <p className="door-links">
        <Go to="/forgot" search={search}>
          Forgot your password?
        </Go>
        {options?.signup && (
          <Go to="/sign-up" search={search}>
            Create an account
          </Go>
        )}
      </p>
    </Door>
  )
}

/** Why a sign-in through a provider failed, by the word in the address: a sentence there could be anybody's. */
const failures: Record<string, string> = {
  expired: 'This sign-in was begun in another browser or more than ten minutes ago. Start again.',
  cancelled: 'The sign-in was cancelled at the provider.',
  closed: 'New accounts are closed here. Ask a member of your team for an invitation.',
  unverified:
    'An account with this address exists, and the address is not verified on both sides. Sign in with the password, or reset it.',
  throttled: 'There were too many attempts. Wait a few minutes and start again.',
  unavailable: 'The sign-in provider can’t be reached. Try again, or sign in another way.',
}

function wordsOf(failure: string): string {
  return (
    (Object.hasOwn(failures, failure) && failures[failure]) || 'The sign-in provider refused the sign-in. Start again.'
  )
}

/**
 * Returns the token of a sign-in through a provider that waits for the code of the second factor, and takes it out of
 * the address. Null without one.
 */
function usePendingSignIn(): string | null {
  const [pending] = useState(() => new URLSearchParams(location.hash.slice(1)).get('pending'))
  useEffect(() => {
    if (pending !== null) history.replaceState(history.state, '', location.pathname + location.search)
  }, [pending])
  return pending
}

/** Asks for the code of an account that a provider has identified. */
function SecondFactor({ pending, onDone }: { pending: string; onDone: () => void }) {
  const [pendingToken, setPendingToken] = useState(pending)
  const form = useForm({ twoFactorCode: '' }, async ({ twoFactorCode }) => {
    try {
      const body = { pendingToken, twoFactorCode: twoFactorCode.trim() }
      await openSession(await post('/auth/oauth', { body }, { isAnonymous: true }))
      onDone()
    } catch (error) {
      // A wrong code gets a token with another five minutes.
      if (error instanceof Refusal && typeof error.body.pendingToken === 'string') {
        setPendingToken(error.body.pendingToken)
      }
      throw error
    }
  })
  return (
    <Form form={form} verb="Sign in" place="door">
      <CodeField {...form.field('twoFactorCode')} />
    </Form>
  )
}
