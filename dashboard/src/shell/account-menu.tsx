import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { readAll } from '../api/all.ts'
import { keys } from '../api/keys.ts'
import { remove } from '../api/request.ts'
import { useLeave } from '../session/leave.ts'
import { enterTeam, useMe } from '../session/me.ts'
import { Menu, MenuItem, MenuLine, MenuName, MenuRadio } from '../ui/dialog/menu.tsx'
import { sayFault } from '../ui/dialog/toast.tsx'
import { useGo } from '../ui/go/use-go.ts'
import { initial } from '../ui/text/words.ts'
import type { Overlay } from './shell-shortcuts.ts'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

const themes: [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

export function AccountMenu({ onShow }: { onShow: (overlay: Overlay) => void }) {
  const { user, team } = useMe()
  const go = useGo()
  const { pathname } = useLocation()
  const leave = useLeave()
  const [theme, setTheme] = useState(readTheme)
  const teams = useQuery({
    queryKey: keys.part('auth/teams', 'own'),
    queryFn: ({ signal }) => readAll('/auth/teams', {}, { signal }),
    staleTime: 5 * 60_000,
  }).data
  async function switchTo(teamId: string) {
    await enterTeam(teamId)
    // Going to where one is shows nothing anew: the page would stay that of the team before.
    if (pathname === '/' && teamId !== team.id) location.reload()
    else await go('/')
  }
  const signOut = () => leave(() => remove('/auth/session'))
  return (
    <Menu name="Account menu" className="account-button" face={<Face name={user.name ?? user.email} />}>
      <MenuName>
        {user.name ?? 'Signed in'}
        <br />
        {user.email}
      </MenuName>
      {(teams?.length ?? 0) > 1 && (
        <>
          <MenuLine />
          {teams?.map(({ id, name }) => (
            <MenuRadio key={id} closes isChosen={id === team.id} onSelect={() => void switchTo(id).catch(sayFault)}>
              {name}
            </MenuRadio>
          ))}
        </>
      )}
      <MenuLine />
      {themes.map(([value, name]) => (
        <MenuRadio
          key={value}
          isChosen={theme === value}
          onSelect={() => {
            chooseTheme(value)
            setTheme(value)
          }}
        >
          {name}
        </MenuRadio>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => onShow('shortcuts')}>Keyboard shortcuts</MenuItem>
      <MenuItem onSelect={() => void signOut().catch(sayFault)}>Sign out</MenuItem>
    </Menu>
  )
}

function Face({ name }: { name: string }) {
  return (
    <span className="account-letter" aria-hidden="true">
      {initial(name)}
    </span>
  )
}
