import { useState } from 'react'
import { post } from '../../api/request.ts'
import { ButtonLink } from '../../ui/button/button.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Door } from './door.tsx'
import { useLinkToken } from './link-token.ts'

/**
 * Confirms an address by a button, not by itself: programs that check mail open links too, some of them with scripts.
 */
export default function Verify() {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const form = useForm({}, async () => {
    await post('/auth/verify-email', { body: { token } }, { isAnonymous: true })
    setDone(true)
  })
  return (
    <Door title="Confirm your address">
      {isDone ? (
        <>
          <p role="status">Your address is confirmed.</p>
          <ButtonLink to="/" kind="main">
            Open the dashboard
          </ButtonLink>
        </>
      ) : (
        <Form
          form={form}
          verb="Confirm address"
          place="door"
          lead={<p>Do this only if you made the account yourself.</p>}
        ></Form>
      )}
    </Door>
  )
}
