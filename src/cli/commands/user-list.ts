import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { withApp } from '../with-app.ts'

/** Read at a time, so that a large installation is listed in little memory. */
const pageMax = 1000

/** Prints a line for each account: id, address, whether it is verified, two-factor, teams with roles, name. */
export async function listUsersCommand(): Promise<void> {
  await withApp(async ({ db }) => {
    let users = await listUsers(db, null)
    for (; users.length > 0; users = await listUsers(db, users.at(-1)!.id)) {
      for (const { id, email, isVerified, hasTwoFactor, teams, name } of users) {
        const facts = [isVerified ? 'verified' : 'unverified', hasTwoFactor ? 'two-factor' : '-']
        process.stdout.write(`${[id, email, ...facts, teams ?? '-', name ?? '-'].join('\t')}\n`)
      }
    }
  })
}

function listUsers(db: Db, after: string | null) {
  return db
    .selectFrom('users')
    .select((user) => [
      'id',
      'email',
      'name',
      user('email_verified_at', 'is not', null).as('isVerified'),
      user('totp_secret', 'is not', null).as('hasTwoFactor'),
      user
        .selectFrom('team_members as member')
        .innerJoin('teams', 'teams.id', 'member.team_id')
        .select(
          sql<string>`string_agg(teams.name || ' (' || member.role || ')', ', ' order by member.created_at)`.as(
            'teams',
          ),
        )
        .whereRef('member.user_id', '=', 'users.id')
        .as('teams'),
    ])
    .$if(after !== null, (users) => users.where('id', '>', after!))
    .orderBy('id')
    .limit(pageMax)
    .execute()
}
