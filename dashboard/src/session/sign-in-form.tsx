import { type FormEvent, useState } from 'react'
import { faultAt, isAllAt, withoutFaultsAt } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Field } from '../ui/field.tsx'
import { CodeField } from './code-field.tsx'
import { signIn } from './login.ts'
import type { Me } from './me.ts'

type Props = {
  email?: string
  isEmailFixed?: boolean
  /** The team to come back to. */
  teamId?: string
  onDone: (me: Me) => void
}

/** Email and password, then the code where the account asks for one. */
export function SignInForm({ email: known = '', isEmailFixed, teamId, onDone }: Props) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const { error, isBusy, submit, dropFault } = useSigningIn(async () => {
    const outcome = await signIn({ email, password, code, teamId })
    if (outcome === 'code') setCode('')
    else onDone(outcome)
  })
  const isAsked = code !== undefined
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {!isAllAt(error, ['email', 'password', 'code']) && <Fault error={error} />}
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        readOnly={isEmailFixed || isAsked}
        fault={faultAt(error, 'email')}
        onChange={(event) => {
          setEmail(event.target.value)
          dropFault('email')
        }}
        autoFocus={known === ''}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        readOnly={isAsked}
        fault={faultAt(error, 'password')}
        onChange={(event) => {
          setPassword(event.target.value)
          dropFault('password')
        }}
        autoFocus={known !== ''}
      />
      {isAsked && (
        <CodeField
          name="code"
          value={code}
          fault={faultAt(error, 'code')}
          onChange={(event) => {
            setCode(event.target.value)
            dropFault('code')
          }}
        />
      )}
      <Button type="submit" kind="main" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  )
}

function useSigningIn(run: () => Promise<void>) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await run().catch(setError)
    setBusy(false)
  }
  const dropFault = (field: string) => setError((before: unknown) => withoutFaultsAt(before, [field]))
  return { error, isBusy, submit, dropFault }
}
