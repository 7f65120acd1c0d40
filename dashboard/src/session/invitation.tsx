import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { get, post } from '../api/call.ts'
import { keys } from '../api/keys.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Field } from '../ui/field.tsx'
import { FormFault, useForm } from '../ui/form.tsx'
import { Go } from '../ui/go.tsx'
import { Loading } from '../ui/states.tsx'
import { Door } from './door.tsx'
import { keepLinkToken, useLinkToken } from './link-token.ts'
import { enterAs, type Me, meQuery, openSession } from './me.ts'

type Terms = { teamName: string; email: string; role: string; accountExists: boolean }

export default function Invitation() {
  const token = useLinkToken()
  const terms = useQuery({
    queryKey: keys.part('auth/invitations', 'terms', { token }),
    queryFn: ({ signal }) =>
      get<Terms>(`/auth/invitations/${encodeURIComponent(token)}`, { signal, isAnonymous: true }),
  })
  if (terms.data) return <Join token={token} terms={terms.data} />
  return (
    <Door title="Invitation">
      <Fault error={terms.error} />
      {!terms.error && <Loading lines={3} />}
    </Door>
  )
}

function Join({ token, terms }: { token: string; terms: Terms }) {
  const me = useQuery({ ...meQuery, enabled: terms.accountExists })
  const isSignedIn = me.data?.user.email.toLowerCase() === terms.email.toLowerCase()
  const navigate = useNavigate()
  const signIn = () => {
    keepLinkToken(token)
    void navigate({ href: '/sign-in?next=/invitation' } as never)
  }
  return (
    <Door title={`Join ${terms.teamName}`}>
      <p>
        {terms.email} is invited as {terms.role}.
      </p>
      {terms.accountExists && !isSignedIn && !me.isPending && (
        <>
          <p>This address has an account. Sign in with it to accept.</p>
          <Button kind="main" onClick={signIn}>
            Sign in
          </Button>
        </>
      )}
      {(!terms.accountExists || isSignedIn) && (
        <JoinForm token={token} email={terms.email} isNew={!terms.accountExists} />
      )}
      <p className="door-links">
        <Go to="/">Not now</Go>
      </p>
    </Door>
  )
}

function JoinForm({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const navigate = useNavigate()
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const person = isNew ? { ...(name !== '' && { name }), password } : {}
    const body = { token, ...person }
    const answer = await post<{ refreshToken: string } | Me>('/auth/invitations', body, { isAnonymous: true })
    // A browser session moves to the team. Only a new account has a login to open.
    if ('refreshToken' in answer) await openSession(answer)
    else enterAs(answer)
    await navigate({ to: '/' as never })
  })
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      {isNew && (
        <>
          {/* For password managers, which store it with the password. */}
          <input type="text" autoComplete="username" value={email} hidden readOnly />
          <Field label="Name" autoComplete="name" {...form.field('name')} autoFocus />
          <Field
            label="Password"
            hint="At least 8 characters."
            type="password"
            autoComplete="new-password"
            {...form.field('password')}
          />
        </>
      )}
      <Button type="submit" kind="main" isBusy={form.isBusy}>
        Join
      </Button>
    </form>
  )
}
