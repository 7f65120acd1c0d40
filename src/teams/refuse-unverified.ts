import type { App } from '../context.ts'
import { forbidden } from '../platform/errors.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'

/**
 * With `REQUIRE_VERIFIED_EMAIL=on`, throws `forbidden` while no owner of the team has verified an address. Called where
 * messages are accepted. Without the setting it costs nothing.
 */
export async function refuseUnverifiedTeam({ config, db }: Pick<App, 'config' | 'db'>, teamId: string): Promise<void> {
  if (config.requireVerifiedEmail === 'off') return
  const verified = await db
    .selectFrom('team_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select('users.id')
    .where('member.team_id', '=', liveTeamOf(teamId))
    .where('member.role', '=', 'owner')
    .where('users.email_verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (verified) return
  throw forbidden(
    'No owner of this team has verified an email address yet. An owner opens the link in the mail that POST /auth/verify-email/resend sends; then the team may send.',
  )
}
