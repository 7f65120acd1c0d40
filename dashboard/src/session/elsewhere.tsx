import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { readAll } from '../api/all.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { ActionButton } from '../ui/button/action-button.tsx'
import { Button } from '../ui/button/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { useLeave } from './leave.ts'
import { becameOther, isSessionKey, type Me, meQuery, returnToTeam, useMe } from './me.ts'

/**
 * Follows what other tabs do with the session of this browser. After signing out there, this page is left too. After
 * entering another team there, this page waits until the person says in which team to go on: what it shows and what is
 * typed on it belong to the team before. So does the page of a person who is not in its team any more and signed in
 * again.
 */
export function Elsewhere() {
  const me = useMe()
  const now = useSyncExternalStore(becameOther.subscribe, becameOther.get)
  useOtherTabs()
  const isOtherPerson = now !== null && now.user.id !== me.user.id
  useEffect(() => {
    if (isOtherPerson) openAnew()
  }, [isOtherPerson])
  return now !== null && !isOtherPerson ? <ChooseTeam before={me} now={now} /> : null
}

function ChooseTeam({ before, now }: { before: Me; now: Me }) {
  const teams = useQuery({
    queryKey: keys.part('auth/teams', 'elsewhere'),
    queryFn: ({ signal }) => readAll('/auth/teams', {}, { signal, isAnonymous: true }),
    staleTime: 0,
  })
  if (teams.isFetching) return null
  const isMember = !teams.data || teams.data.some(({ id }) => id === before.team.id)
  const title = isMember ? `You are in ${now.team.name} now` : `You are not in ${before.team.name} any more`
  return (
    <Dialog title={title} isFirm onClose={() => undefined}>
      {isMember ? (
        <p>
          Another tab of this browser entered {now.team.name}. This page is of {before.team.name}, and what you typed on
          it is still here.
        </p>
      ) : (
        <p>You were removed from it, or it was deleted. Nothing on this page can be changed any more.</p>
      )}
      <div className="dialog-actions">
        {isMember && (
          <ActionButton run={() => returnToTeam(before.team.id)}>{`Go back to ${before.team.name}`}</ActionButton>
        )}
        <Button kind="main" onClick={openAnew}>
          {`Go on in ${now.team.name}`}
        </Button>
      </div>
    </Dialog>
  )
}

/** Loads the Overview, so that nothing of the person and the team before stays in this tab. */
function openAnew(): void {
  location.assign('/app')
}

function useOtherTabs(): void {
  const leave = useLeave()
  const { href } = useLocation()
  const latest = useRef({ leave, href })
  latest.current = { leave, href }
  useEffect(() => {
    const listen = ({ key, newValue }: StorageEvent) => {
      if (!isSessionKey(key)) return
      if (newValue !== null) return void client.invalidateQueries({ queryKey: meQuery.queryKey })
      const next = encodeURIComponent(latest.current.href)
      void latest.current.leave(async () => undefined, `/sign-in?next=${next}`)
    }
    addEventListener('storage', listen)
    return () => removeEventListener('storage', listen)
  }, [])
}
