import { useState } from 'react'
import { Refusal } from '../api/refusal.ts'
import { post } from '../api/request.ts'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { CodeField } from './code-field.tsx'
import { type Me, openSession } from './me.ts'

type Props = {
  email?: string
  isEmailFixed?: boolean
  /** The team to come back to. */
  teamId?: string
  onDone: (me: Me) => void
}

/** Email and password, then the code where the account asks for one. */
export function SignInForm({ email: known = '', isEmailFixed, teamId, onDone }: Props) {
  const [isAsked, setAsked] = useState(false)
  const form = useForm({ email: known, password: '', code: '' }, async ({ code, ...login }) => {
    const outcome = await signIn({ ...login, teamId, ...(isAsked && { code }) })
    if (outcome === 'code') setAsked(true)
    else onDone(outcome)
  })
  return (
    <Form form={form} verb="Sign in" place="door">
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        readOnly={isEmailFixed || isAsked}
        {...form.field('email')}
        autoFocus={known === ''}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        readOnly={isAsked}
        {...form.field('password')}
        autoFocus={known !== ''}
      />
      {isAsked && <CodeField {...form.field('code')} />}
    </Form>
  )
}

type Login = { email: string; password: string; code?: string | undefined; teamId?: string | undefined }

/** Signs in. Returns `code` where the account has two-factor on and none was given. */
async function signIn({ email, password, code, teamId }: Login): Promise<Me | 'code'> {
  try {
    const body = { email, password, ...(code && { code: code.trim() }) }
    return await openSession(await post('/auth/login', { body }, { isAnonymous: true }), teamId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'two_factor_required') return 'code'
    throw error
  }
}
