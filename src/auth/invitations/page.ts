import Type from 'typebox'
import type { App } from '../../context.ts'
import { DomainError } from '../../platform/errors.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { page, showPage } from '../../platform/http/page.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Strict, Text } from '../../platform/http/schema.ts'
import { faultFinder } from '../../platform/http/validation.ts'
import { LinkToken } from '../schema.ts'
import { type Acceptance, acceptInvitation } from './accept.ts'
import { type InvitationTerms, lookUpInvitation } from './look-up.ts'
import { Acceptance as AcceptanceSchema } from './schema.ts'

const shared = {
  access: 'public',
  tag: 'Team',
  path: '/app/invitation',
  query: Strict({ token: LinkToken }),
  response: Type.String(),
  produces: 'text/html; charset=utf-8',
  internal: true,
} as const

/** The page that the link of an invitation opens. A GET changes nothing, because mail programs open links too. */
export const invitationPageRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    summary: 'Show an invitation',
    async handle({ app, query: { token }, reply }) {
      const shown = await withoutRefusal(async () => joinPage(await lookUpInvitation(app, token), null))
      return showPage(shown.refused ? reply.status(400) : reply, shown.html)
    },
  }),
  route({
    ...shared,
    method: 'POST',
    summary: 'Accept an invitation with a new account',
    takes: 'form',
    body: Strict({ name: Text({ maxLength: 1000 }), password: Text({ maxLength: 1000 }) }),
    async handle({ app, query: { token }, body: { name, password }, request, reply }) {
      const called = name.trim() === '' ? {} : { name: name.trim() }
      const shown = await join(app, { token, password, ...called, request, clientAddress: request.ip })
      return showPage(shown.refused ? reply.status(400) : reply, shown.html)
    },
  }),
]

type Shown = { html: string; refused: boolean }

const faultsOf = faultFinder(AcceptanceSchema)

/** Accepts the invitation. What the person can mend is said above the form, which comes again. */
async function join(app: App, acceptance: Acceptance): Promise<Shown> {
  const { request, clientAddress, ...fields } = acceptance
  const [fault] = faultsOf(fields)
  return withoutRefusal(async () => {
    const terms = await lookUpInvitation(app, fields.token)
    if (fault) return { ...joinPage(terms, `The ${fault.path} ${fault.message}.`), refused: true }
    try {
      await acceptInvitation(app, acceptance)
      return { html: donePage, refused: false }
    } catch (error) {
      if (!(error instanceof DomainError) || error.details.name === 'invalid_token') throw error
      return { ...joinPage(terms, error.message), refused: true }
    }
  })
}

/** Turns the refusal of a token into a page. */
async function withoutRefusal(work: () => Promise<Shown>): Promise<Shown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error
    return {
      html: page('Invitation', `<h1>Invitation</h1>\n      <p role="alert">${error.message}</p>`),
      refused: true,
    }
  }
}

/** Shows the form of a new account, or how a person with an account joins. */
function joinPage({ teamName, email, role, accountExists }: InvitationTerms, fault: string | null): Shown {
  const title = `Join ${escapeHtml(teamName)}`
  const alert = fault === null ? '' : `<p role="alert">${escapeHtml(fault)}</p>`
  const terms = `<p>${escapeHtml(email)} is invited as ${role}.</p>`
  const way = accountExists ? forMembers : form
  return { html: page(title, `<h1>${title}</h1>\n      ${alert}\n      ${terms}\n      ${way}`), refused: false }
}

const forMembers =
  '<p>This address has an account. Log in with it, and accept by <code>POST /auth/invitations</code> with the token of this link.</p>'

const form = `<form method="post">
        <label for="name">Name</label>
        <input id="name" name="name" autocomplete="name" maxlength="100">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required>
        <button>Join</button>
      </form>`

const donePage = page(
  'Welcome',
  '<h1>You are in the team</h1>\n      <p role="status">You can sign in now. You can close this page.</p>',
)
