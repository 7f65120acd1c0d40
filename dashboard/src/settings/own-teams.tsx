import { changed } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { post, type RowOf } from '../api/request.ts'
import { enterTeam, useMe } from '../session/me.ts'
import { useSignInOptions } from '../session/options.ts'
import { ActionButton } from '../ui/button/action-button.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { LineForm } from '../ui/form/line-form.tsx'
import { Section } from '../ui/frame/section.tsx'
import { useGo } from '../ui/go/use-go.ts'
import { actionColumn, type Column } from '../ui/table/columns.ts'
import { Table } from '../ui/table/table.tsx'
import { sentence } from '../ui/text/words.ts'

type OwnTeam = RowOf<'/auth/teams'>

const columns: Column<OwnTeam>[] = [
  { name: 'Team', width: '2fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  { name: 'Your role', width: '104px', narrow: 'second', cell: ({ role }) => sentence(role) },
  { name: 'Plan', width: '96px', narrow: 'second-end', cell: ({ plan }) => sentence(plan) },
  actionColumn('Switch', '104px', (row) => <Switch {...row} />),
]

/** The teams of the signed-in person, to switch to and to add to. */
export function OwnTeams() {
  const list = useList('/auth/teams')
  // Where sign-up is closed, only the operator makes teams.
  const mayCreate = useSignInOptions()?.signup === true
  return (
    <Section
      title="Your teams"
      className="settings-part"
      actions={mayCreate && <DialogButton name="New team">{(close) => <NewTeamForm onDone={close} />}</DialogButton>}
    >
      <Table name="Your teams" list={list} columns={columns} empty={null} />
    </Section>
  )
}

function Switch({ id, name }: OwnTeam) {
  const { team } = useMe()
  const go = useGo()
  if (id === team.id) return <span className="muted">Current team</span>
  async function enter() {
    await enterTeam(id)
    await go('/')
    say(`This is ${name}`)
  }
  return (
    <ActionButton kind="quiet" aria-label={`Switch to ${name}`} run={enter}>
      Switch
    </ActionButton>
  )
}

function NewTeamForm({ onDone }: { onDone: () => void }) {
  return (
    <LineForm
      label="Name"
      name="name"
      hint="A team has its own members, domains, contacts and limits. It begins on the free plan, and you own it."
      maxLength={100}
      verb="Create"
      onSubmit={async (name) => {
        await post('/auth/teams', { body: { name } })
        changed('auth/teams')
        say(`${name} is created. Switch to it to work in it.`)
        onDone()
      }}
    />
  )
}
