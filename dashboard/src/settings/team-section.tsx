import { changed } from '../api/client.ts'
import { patch } from '../api/request.ts'
import { useMay, useMe } from '../session/me.ts'
import { useFollowedForm } from '../typing/use-followed-form.ts'
import { say } from '../ui/dialog/toast.tsx'
import { Field, Tick } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { sentence } from '../ui/text/words.ts'
import { type Team, useTeam } from './team.ts'

/** The team's name, and whether its members need a second factor. */
export function TeamSection() {
  const query = useTeam()
  const mayChange = useMay('PATCH /v1/team')
  return (
    <Section title="Team" className="settings-part">
      <Fetch query={query} lines={4}>
        {(team) => (
          <>
            {mayChange && <TeamForm key={team.id} team={team} />}
            <TeamFacts team={team} mayChange={mayChange} />
          </>
        )}
      </Fetch>
    </Section>
  )
}

function TeamFacts({ team, mayChange }: { team: Team; mayChange: boolean }) {
  return (
    <Facts>
      {!mayChange && (
        <>
          <Fact name="Name">{team.name}</Fact>
          <Fact name="Two-factor">{team.requireTwoFactor ? 'Required of every member' : 'Not required'}</Fact>
        </>
      )}
      <Fact name="Plan">{sentence(team.plan)}</Fact>
      <Fact name="Created">
        <Time at={team.createdAt} isExact />
      </Fact>
      <IdFact id={team.id} />
    </Facts>
  )
}

function TeamForm({ team }: { team: Team }) {
  const { user } = useMe()
  const form = useFollowedForm({ name: team.name, requireTwoFactor: team.requireTwoFactor }, async (changes) => {
    if (Object.keys(changes).length > 0) await patch('/v1/team', { body: changes })
    changed('team', 'auth/me', 'auth/teams')
    say('The team is saved')
  })
  const needsOwnFactor = !user.twoFactorEnabled && !team.requireTwoFactor
  return (
    <Form form={form} verb="Save team" place="page">
      <Field label="Team name" maxLength={100} {...form.field('name')} />
      <Tick
        label="Require two-factor"
        hint={
          needsOwnFactor ? (
            <>
              Every member needs a second factor. Before you require it,{' '}
              <Go to="/settings/security">turn on two-factor for yourself</Go>.
            </>
          ) : (
            'Members without a second factor can only set one up, from their next request. API keys are not affected.'
          )
        }
        {...form.tick('requireTwoFactor')}
      />
    </Form>
  )
}
