import { useLocation } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { type Proof, proofAsker } from '../api/call.ts'
import { client } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import { post } from '../api/request.ts'
import { Button } from '../ui/button/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { CodeField } from './code-field.tsx'
import { isSignInElsewhere, noteSessionEnded } from './kept-typing.ts'
import { meQuery, useMe } from './me.ts'
import { SignInForm } from './sign-in-form.tsx'

/**
 * The dialogs over the page when a session has ended, or when a request needs the password again. Nothing typed is
 * lost: the request waits and is repeated.
 */
export function Again() {
  const me = useMe()
  const [proof, setProof] = useState<Proof>()
  const done = useRef<{ resolve: () => void; reject: (error: Error) => void }>(undefined)
  useEffect(() => {
    proofAsker.set((needed) => {
      if (needed === 'sign-in') noteSessionEnded()
      setProof(needed)
      return new Promise((resolve, reject) => {
        done.current = { resolve, reject }
      })
    })
    return () => {
      proofAsker.set(null)
      done.current?.reject(new Error('The page was left.'))
    }
  }, [])
  const finish = () => {
    setProof(undefined)
    done.current?.resolve()
  }
  const giveUp = (why: string) => {
    setProof(undefined)
    done.current?.reject(new Error(why))
  }
  useSignInElsewhere(proof === 'sign-in', finish)
  if (proof === 'sign-in') {
    return (
      <Dialog title="Sign in again" isFirm onClose={() => undefined}>
        <p>Your session has ended. Nothing on this page is lost.</p>
        <SignInForm email={me.user.email} isEmailFixed teamId={me.team.id} onDone={finish} />
        <OtherWays />
      </Dialog>
    )
  }
  return proof === 'password' ? (
    <ConfirmPassword onDone={finish} onClose={() => giveUp('This needs your password, which was not given.')} />
  ) : null
}

/**
 * Leads to *Sign in*, for a person who signs in through a provider, has forgotten the password or has no account any
 * more. The page is loaded anew, as by a reload: what is typed is kept for this person.
 */
function OtherWays() {
  const { href } = useLocation()
  return (
    <p className="door-links">
      <a href={`/app/sign-in?next=${encodeURIComponent(href)}`}>Sign in another way</a>
    </p>
  )
}

/** Goes on when another tab has signed in, as all tabs are asked to at once. */
function useSignInElsewhere(isAsked: boolean, onSignedIn: () => void): void {
  const latest = useRef(onSignedIn)
  latest.current = onSignedIn
  useEffect(() => {
    if (!isAsked) return
    const listen = (event: StorageEvent) => {
      if (!isSignInElsewhere(event)) return
      client.fetchQuery({ ...meQuery, staleTime: 0 }).then(
        () => latest.current(),
        () => undefined,
      )
    }
    addEventListener('storage', listen)
    return () => removeEventListener('storage', listen)
  }, [isAsked])
}

function ConfirmPassword({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { user } = useMe()
  const [isByCode, setByCode] = useState(false)
  const form = useForm(
    { password: '', code: '' },
    async ({ password, code }) => {
      await confirmLogin(isByCode ? { code: code.trim() } : { password })
      onDone()
    },
    { password: 'currentPassword' },
  )
  const other = isByCode ? 'Use your password' : 'Use an authentication code'
  return (
    <Dialog title="Confirm your password" onClose={onClose}>
      <p>This change needs your password or a code, given in the last 15 minutes.</p>
      <Form
        form={form}
        verb="Confirm"
        onBack={onClose}
        extra={
          user.twoFactorEnabled && (
            <Button kind="quiet" onClick={() => setByCode(!isByCode)}>
              {other}
            </Button>
          )
        }
      >
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        {isByCode ? <CodeField {...form.field('code')} /> : <PasswordField {...form.field('password')} />}
      </Form>
    </Dialog>
  )
}

/** Where the session has ended meanwhile, the repeated request asks for signing in, which confirms it too. */
async function confirmLogin(body: { code: string } | { password: string }): Promise<void> {
  try {
    await post('/auth/reauthenticate', { body }, { isAnonymous: true })
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
  }
}

type ControlProps = Omit<ComponentProps<typeof Field>, 'label'>

function PasswordField(props: ControlProps) {
  return <Field label="Password" type="password" autoComplete="current-password" {...props} autoFocus />
}
