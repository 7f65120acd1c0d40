import { parseArgs } from 'node:util'
import { removeSecondFactor } from '../auth/2fa/remove.ts'
import { issueResetToken } from '../auth/account-tokens/issue.ts'
import { recordAccountChange } from '../auth/record-account-change.ts'
import type { App } from '../context.ts'
import { findUserByEmail } from '../teams/queries.ts'
import { UsageError } from './usage-error.ts'
import { withApp } from './with-app.ts'

const usage = 'user reset-link EMAIL [--remove-two-factor]'

type Wanted = { email: string; removesTwoFactor: boolean }

/** Prints a link that sets the password of an account once. */
export async function resetLinkCommand(args: string[]): Promise<void> {
  const wanted = readArguments(args)
  await withApp(async (app) => {
    const { token, removed } = await issueLink(app, wanted)
    const twoFactor = removed ? 'Two-factor is off now.\n' : ''
    process.stdout.write(`${twoFactor}${linkText(app, token)}`)
  })
}

/** The text that gives a link of an operator to the terminal. It is printed nowhere else. */
export function linkText(app: App, token: string): string {
  return `The password is set once, within 24 hours, at
  ${app.publicUrl()}/app/reset?token=${token}
or by
  curl ${app.publicUrl()}/auth/password/reset -H 'Content-Type: application/json' -d '{"token": "${token}", "password": "…"}'
`
}

function readArguments(args: string[]): Wanted {
  try {
    const options = { 'remove-two-factor': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [email = '', ...rest] = positionals
    if (email && rest.length === 0) return { email, removesTwoFactor: values['remove-two-factor'] === true }
  } catch {
    // An unknown option: the usage text explains it.
  }
  throw new UsageError(usage)
}

function issueLink(app: App, { email, removesTwoFactor }: Wanted): Promise<{ token: string; removed: boolean }> {
  return app.transaction(async (tx) => {
    const user = await findUserByEmail(tx.db, email)
    if (!user) throw new Error(`there is no account with the address ${email}; see: posthorn user list`)
    const removed = removesTwoFactor && (await removeSecondFactor(tx, user.id))
    if (removed) await recordAccountChange(tx, { userId: user.id, action: 'two_factor.disabled' })
    const token = await issueResetToken(tx, user.id, 'operator')
    await recordAccountChange(tx, { userId: user.id, action: 'user.reset_link_created' })
    return { token, removed }
  })
}
