import { useState } from 'react'
import { post } from '../../api/request.ts'
import { ButtonLink } from '../../ui/button/button.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Door } from './door.tsx'
import { useLinkToken } from './link-token.ts'

/**
 * Takes a new address by a button, not by itself: programs that check mail open links too, some of them with scripts.
 */
export default function NewAddress() {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const form = useForm({}, async () => {
    await post('/auth/me/email/confirm', { body: { token } }, { isAnonymous: true })
    setDone(true)
  })
  return (
    <Door title="Confirm your new address">
      {isDone ? (
        <>
          <p role="status">This is the address of your account now. All earlier sessions have ended.</p>
          <ButtonLink to="/sign-in" kind="main">
            Sign in
          </ButtonLink>
        </>
      ) : (
        <Form
          form={form}
          verb="Use this address"
          place="door"
          lead={<p>Do this only if the account that the mail names is yours.</p>}
        ></Form>
      )}
    </Door>
  )
}
