import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import type { Posts } from '../../api/endpoints.ts'
import { keys } from '../../api/keys.ts'
import { Refusal } from '../../api/refusal.ts'
import { type Answer, get, post, remove } from '../../api/request.ts'
import type { Acceptance } from '../../api/shapes.ts'
import { ActionButton } from '../../ui/button/action-button.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loading } from '../../ui/frame/states.tsx'
import { Go } from '../../ui/go/go.tsx'
import { useGo, useOpenAddress } from '../../ui/go/use-go.ts'
import { Fault } from '../../ui/text/fault.tsx'
import { CodeField } from '../code-field.tsx'
import { useLeave } from '../leave.ts'
import { enterAs, mayBeSignedIn, meQuery, openSession } from '../me.ts'
import { useSignInOptions } from '../options.ts'
import { Door } from './door.tsx'
import { keepLinkToken, useLinkToken } from './link-token.ts'

type Terms = Answer<'/auth/invitations/:token'>

export default function Invitation() {
  const token = useLinkToken()
  const terms = useQuery({
    queryKey: keys.part('auth/invitations', 'terms', { token }),
    queryFn: ({ signal }) => get('/auth/invitations/:token', { token }, { signal, isAnonymous: true }),
  })
  if (terms.data) return <Join token={token} terms={terms.data} />
  return (
    <Door title="Invitation">
      <Fault error={terms.error} />
      {terms.error ? (
        <p className="door-links">
          <Go to="/">Go to Posthorn</Go>
        </p>
      ) : (
        <Loading lines={3} />
      )}
    </Door>
  )
}

function Join({ token, terms }: { token: string; terms: Terms }) {
  const me = useQuery({ ...meQuery, enabled: terms.accountExists || mayBeSignedIn() })
  const signedInAs = me.isError ? undefined : me.data?.user.email
  const isOther = signedInAs !== undefined && signedInAs.toLowerCase() !== terms.email.toLowerCase()
  return (
    <Door title={`Join ${terms.teamName}`}>
      <p>
        {terms.email} is invited as {terms.role}.
      </p>
      {me.isLoading ? (
        <Loading lines={2} />
      ) : isOther ? (
        <Another token={token} terms={terms} signedInAs={signedInAs} />
      ) : terms.accountExists && signedInAs === undefined ? (
        <ToSignIn token={token} email={terms.email} />
      ) : (
        <JoinForm token={token} email={terms.email} isNew={!terms.accountExists} />
      )}
      <p className="door-links">
        <Go to="/">Not now</Go>
      </p>
    </Door>
  )
}

/** From signing in the person comes back to this page. */
const signInPath = '/sign-in?next=/invitation'

function ToSignIn({ token, email }: { token: string; email: string }) {
  const openAddress = useOpenAddress()
  const signIn = () => {
    keepLinkToken(token)
    void openAddress(signInPath)
  }
  const isClosed = useSignInOptions()?.signup === false
  const [isInNoTeam, setInNoTeam] = useState(false)
  if (isInNoTeam) return <JoinByPassword token={token} email={email} />
  return (
    <>
      <p>This address has an account. Sign in with it to accept.</p>
      <Button kind="main" onClick={signIn}>
        Sign in
      </Button>
      {isClosed && (
        <Button kind="quiet" onClick={() => setInNoTeam(true)}>
          The account is in no team
        </Button>
      )}
    </>
  )
}

/** For an account in no team, which cannot sign in where sign-up is closed. */
function JoinByPassword({ token, email }: { token: string; email: string }) {
  const go = useGo()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({ password: '', code: '' }, async ({ password, code }) => {
    try {
      const body = { token, password, ...(needsCode && { code: code.trim() }) }
      await enter(await post('/auth/invitations', { body }, { isAnonymous: true }))
    } catch (error) {
      if (!needsCode && error instanceof Refusal && error.code === 'two_factor_required') return setNeedsCode(true)
      throw error
    }
    await go('/', { replace: true })
  })
  return (
    <Form form={form} verb="Join" place="door">
      <input type="text" autoComplete="username" value={email} hidden readOnly />
      <Field label="Password" type="password" autoComplete="current-password" {...form.field('password')} autoFocus />
      {needsCode && <CodeField {...form.field('code')} />}
    </Form>
  )
}

/** For a browser in which somebody else is signed in. The invitation stays as it is. */
function Another({ token, terms, signedInAs }: { token: string; terms: Terms; signedInAs: string }) {
  const leave = useLeave()
  async function signOut() {
    const end = () => endSession().then(() => keepLinkToken(token))
    if (terms.accountExists) return leave(end, signInPath)
    await leave(end, '/invitation')
    location.reload()
  }
  return (
    <>
      <p>
        You are signed in as {signedInAs}. Sign out to accept as {terms.email}
        {terms.accountExists ? ', which has an account' : ''}.
      </p>
      <ActionButton kind="main" run={signOut}>
        Sign out and continue
      </ActionButton>
    </>
  )
}

/** A session that has ended by itself is as good. */
async function endSession(): Promise<void> {
  try {
    await remove('/auth/session', {}, { isAnonymous: true })
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
  }
}

function JoinForm({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const go = useGo()
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const person = isNew ? { ...(name !== '' && { name }), password } : {}
    const body = { token, ...person }
    const answer = await accept(body)
    // A browser session moves to the team. Only a new account has a login to open.
    await enter(answer)
    await go('/', { replace: true })
  })
  return (
    <Form form={form} verb="Join" place="door">
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
    </Form>
  )
}

type Joined = Posts['/auth/invitations']['answer']

/** Signs the new member in: by the login in the answer, or by the login that accepted the invitation. */
async function enter(answer: Joined): Promise<void> {
  if ('refreshToken' in answer) await openSession(answer)
  else enterAs(answer)
}

async function accept(body: Acceptance): Promise<Joined> {
  try {
    return await post('/auth/invitations', { body }, { isAnonymous: true })
  } catch (error) {
    // Another tab has signed in as somebody else, or the address has got an account since.
    if (error instanceof Refusal && error.status === 403) void client.invalidateQueries()
    throw error
  }
}
