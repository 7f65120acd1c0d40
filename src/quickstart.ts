import { insertApiKey } from './api-keys/create.ts'
import { operator } from './api-keys/creator.ts'
import { issueStartToken } from './auth/account-tokens/issue.ts'
import { createAccount } from './auth/create-account.ts'
import { newPassword } from './auth/passwords/new-password.ts'
import { hashPassword } from './auth/passwords/password.ts'
import { grantCredit } from './billing/credit/set.ts'
import type { App } from './context.ts'
import { insertVerifiedDomain } from './domains/insert-verified.ts'
import { isLoopback } from './platform/egress/loopback.ts'
import type { Storage } from './storage.ts'

const email = 'dev@posthorn.test'
const domain = 'sandbox.test'

/**
 * Creates an account, a key and a domain in a new embedded database, and returns a text with them and a first command
 * to try. Empty in production, with DATABASE_URL, if other machines can reach the server, and from the second start on:
 * then the log says how to get in.
 */
export async function quickstart(app: App, storage: Storage, url: string): Promise<string> {
  const reason = reasonAgainst(app.config, storage)
  const anybody = await app.db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (!anybody && reason === null) return welcome(app, url, await createFirstAccount(app))
  if (anybody && reason === null && app.config.dashboard === 'on') await sayHowToReturn(app, url)
  if (!anybody && reason !== null && app.config.roles.includes('api'))
    app.log.info(`No account was made at this first start, because ${reason}. Make one: npx posthorn user create EMAIL`)
  return ''
}

/** Says why no account may be made by itself, or null. */
function reasonAgainst(config: App['config'], { isEmbedded }: Storage): string | null {
  const { production, productionCause, quickstart, host, smtpListen } = config
  if (quickstart === 'off') return 'POSTHORN_QUICKSTART is off'
  if (production) return productionCause!.replace('=', ' is ')
  if (!isEmbedded) return 'DATABASE_URL names the database'
  if (!isLoopback(host)) return `other machines can reach HOST ${host}`
  if (smtpListen && !isLoopback(smtpListen)) return `other machines can reach SMTP_LISTEN ${smtpListen}`
  return null
}

async function sayHowToReturn({ db, log }: App, url: string): Promise<void> {
  const first = await db.selectFrom('users').select('email').where('email_lower', '=', email).executeTakeFirst()
  log.info(
    `The dashboard is at ${url}/app. For a new link to sign in: npx posthorn user reset-link ${first?.email ?? 'EMAIL'}`,
  )
}

async function createFirstAccount(app: App) {
  const password = newPassword()
  const passwordHash = await hashPassword(app, password)
  const keys = await app.generateDkimKeys()
  const made = await app.transaction(async (tx) => {
    // The highest plan, so that limits do not get in a developer's way.
    const account = await createAccount(tx, {
      email,
      name: 'Developer',
      passwordHash,
      emailVerified: true,
      teamName: 'Sandbox',
      plan: 'enterprise',
    })
    await grantCredit(tx, account.teamId, 'enterprise')
    await insertVerifiedDomain(tx, app.keyring, account.teamId, domain, keys)
    const { key } = await insertApiKey(tx, account.teamId, {
      name: 'Quickstart',
      permission: 'full_access',
      domainId: null,
      createdBy: operator('first start'),
    })
    return { key, startToken: await issueStartToken(tx, account.userId) }
  })
  return { ...made, password }
}

function welcome(
  { config }: App,
  url: string,
  { key, startToken, password }: Record<'key' | 'startToken' | 'password', string>,
): string {
  // The token is in the fragment, which no browser sends, so that no log has it.
  const start = `
  Open the dashboard, signed in. The link works once, within ten minutes:

    ${url}/app/start#${startToken}
`
  const kept = `  It is kept in the inbox, and sent nowhere:

    curl ${url}/v1/inbox -H 'Authorization: Bearer ${key}'
`
  const sent = `  EMAIL_PROVIDER is ${config.emailProvider}, so it is really sent: name an address of your own.
`
  const isKept = config.emailProvider === 'capture'
  return `
  Welcome to Posthorn. This is shown once:

    account   ${email}   password   ${password}
    API key   ${key}
    domain    ${domain} (verified, for trying things out)
${config.dashboard === 'on' ? start : ''}
  Send the first email:

    curl ${url}/v1/emails \\
      -H 'Authorization: Bearer ${key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"from": "Posthorn <hello@${domain}>", "to": ["ada@example.com"], "subject": "Hello", "html": "<p>It works.</p>"}'

${isKept ? kept : sent}
  The API is described at ${url}/docs

`
}
