import { removeTwoFactor } from '../../auth/2fa/remove.ts'
import { issueResetToken } from '../../auth/account-tokens/issue.ts'
import { tokenLink } from '../../auth/account-tokens/link.ts'
import { recordAccountChange } from '../../auth/record-account-change.ts'
import type { App } from '../../context.ts'
import { findUserByEmail } from '../../teams/queries.ts'
import { databaseOf } from '../database-of.ts'
import { readArguments } from '../read-arguments.ts'
import { withApp } from '../with-app.ts'

type Wanted = { email: string; removesTwoFactor: boolean }

/** Prints a link that sets the password of an account once. */
export async function resetLinkCommand(args: string[]): Promise<void> {
  const wanted = readWanted(args)
  const { email } = wanted
  await withApp(async (app) => {
    const { token, removed } = await issueLink(app, wanted)
    const twoFactor = removed ? 'Two-factor is off now.\n' : ''
    process.stdout.write(`${twoFactor}${email} is in ${databaseOf(app.config)}.\n${linkText(app, token)}`)
  })
}

/** The text that gives a link of an operator to the terminal. It is printed nowhere else. */
export function linkText(app: App, token: string): string {
  return `The link that sets the password works once, within 24 hours:
  ${tokenLink(app, 'reset', token)}
So does this command:
  curl ${app.publicUrl()}/auth/password/reset -H 'Content-Type: application/json' -d '{"token": "${token}", "password": "…"}'
`
}

function readWanted(args: string[]): Wanted {
  const { words, options } = readArguments(args, { required: ['EMAIL'], options: { 'remove-two-factor': 'flag' } })
  return { email: words[0]!, removesTwoFactor: options['remove-two-factor'] === true }
}

function issueLink(app: App, { email, removesTwoFactor }: Wanted): Promise<{ token: string; removed: boolean }> {
  return app.transaction(async (tx) => {
    const user = await findUserByEmail(tx.db, email)
    if (!user) throw new Error(`there is no account with the address ${email}; see: posthorn user list`)
    const removed = removesTwoFactor && (await removeTwoFactor(tx, user.id))
    if (removed) await recordAccountChange(tx, { userId: user.id, action: 'two_factor.disabled' })
    const token = await issueResetToken(tx, user.id, 'operator')
    await recordAccountChange(tx, { userId: user.id, action: 'user.reset_link_created' })
    return { token, removed }
  })
}
