import { insertApiKey } from '../../api-keys/create.ts'
import { operator } from '../../api-keys/creator.ts'
import { createAccount } from '../../auth/create-account.ts'
import { newPassword } from '../../auth/passwords/new-password.ts'
import { hashPassword } from '../../auth/passwords/password.ts'
import { grantCredit } from '../../billing/credit/set.ts'
import type { App } from '../../context.ts'
import { findTeam } from '../../teams/queries.ts'
import { readArguments, refuseOtherTeamId } from '../read-arguments.ts'
import { withApp } from '../with-app.ts'
import { addDemoData } from './demo-data.ts'

/** Adds demo data to a team, or to a new one whose owner's password it prints. */
export async function seedCommand(args: string[]): Promise<void> {
  const wanted = readTeam(args)
  await withApp(
    async (app) => {
      refuseRealProvider(app)
      const team = wanted === null ? await createDemoTeam(app) : await findDemoTeam(app, wanted)
      const added = await addDemoData(app, team.id)
      process.stdout.write(`${team.name} (${team.id}) has ${added}.\n${team.access}`)
    },
    { makesDatabase: true },
  )
}

/** Returns the id of the team, or null if none is named. */
function readTeam(args: string[]): string | null {
  const { team = null } = readArguments(args, { options: { team: 'text' } }).options
  if (team !== null) refuseOtherTeamId(team)
  return team
}

/** Refuses real providers, because demo messages must not leave the machine. */
function refuseRealProvider(app: App): void {
  const { name } = app.providers.email.live
  if (name !== 'capture')
    throw new Error(
      `seed sends demo emails, which must not leave the machine, and EMAIL_PROVIDER is ${name}; it needs capture.`,
    )
}

async function findDemoTeam(app: App, id: string) {
  const team = await findTeam(app.db, id)
  if (!team) throw new Error(`there is no team ${id}; see: posthorn team list`)
  return { id, name: team.name, access: '' }
}

/** Creates a team with an owner and a key. Each call makes another one, so their names and addresses differ. */
async function createDemoTeam(app: App) {
  const [name, password] = [`demo-${app.newId().slice(-6)}`, newPassword()]
  const email = `${name}@posthorn.test`
  const passwordHash = await hashPassword(app, password)
  return app.transaction(async (tx) => {
    const owner = { email, name: 'Demo', passwordHash, emailVerified: true, teamName: name, plan: 'scale' as const }
    const { teamId } = await createAccount(tx, owner)
    await grantCredit(tx, teamId, owner.plan)
    const { key } = await insertApiKey(tx, teamId, {
      name: 'Demo',
      permission: 'full_access',
      domainId: null,
      createdBy: operator('posthorn seed'),
    })
    const access = `Sign in at ${app.publicUrl()}/app as ${email} with the password ${password}.\nIts API key is ${key}.\nBoth are shown once.\n`
    return { id: teamId, name, access }
  })
}
