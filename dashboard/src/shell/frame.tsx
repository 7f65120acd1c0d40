import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { hearLive } from '../api/live.ts'
import { unreachable } from '../api/reach.ts'
import { Again } from '../session/again.tsx'
import { Elsewhere } from '../session/elsewhere.tsx'
import { meQuery } from '../session/me.ts'
import { Failed } from '../ui/frame/states.tsx'
import { useGo } from '../ui/go/use-go.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Banner } from './banner.tsx'
import { Navigation } from './navigation/navigation.tsx'
import { notePlace, placeOf, returnTo } from './places-left.ts'
import { useShellShortcuts } from './shell-shortcuts.ts'

const live = hearLive()
const { Part: Palette, prefetch: loadPalette } = lazyPart(() => import('./palette/palette.tsx'), null)
const { Part: Shortcuts } = lazyPart(() => import('./shortcuts.tsx'), null)

/** Everything around a page. Pages are shown once it is known who is signed in. */
export function Frame({ children }: { children?: ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me) return <Framed>{children ?? <Outlet />}</Framed>
  if (error && 'status' in error && error.status === 401) return <ToSignIn />
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return <Reach />
}

/** Leads to signing in once, and from there back to this address. */
function ToSignIn() {
  const go = useGo()
  const here = useRef(useLocation().href)
  useEffect(() => {
    const next = here.current === '/' ? {} : { next: here.current }
    void go('/sign-in', { search: next, replace: true })
  }, [go])
  return null
}

function Framed({ children }: { children: ReactNode }) {
  const { open, close, show } = useShellShortcuts()
  const main = useRef<HTMLElement>(null)
  const [isMenuOpen, setMenuOpen] = useMenu(main)
  useEffect(live.hold, [])
  useEffect(() => {
    // Ready before the first key, so that what is typed at once is not lost.
    // A failure is met when the palette is opened.
    const timer = setTimeout(() => loadPalette().catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [])
  useBeginning(main)
  return (
    <div className={`frame ${isMenuOpen ? 'frame-menu-open' : ''}`}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Banner isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} onShow={show} />
      <Navigation />
      <main id="main" ref={main} tabIndex={-1} className="main scroller">
        <Reach />
        {children}
      </main>
      <Again />
      <Elsewhere />
      {open === 'palette' && <Palette onClose={close} onShow={show} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
    </div>
  )
}

/**
 * Holds whether the navigation stands over the page, as on a phone. Going to a page closes it, also to the page that is
 * shown, and moves the focus into the page.
 */
function useMenu(main: RefObject<HTMLElement | null>): [boolean, (isOpen: boolean) => void] {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation: from, toLocation: to, pathChanged, hrefChanged }) => {
        // A search that was typed just before follows into the address, in the same entry of the history.
        const isSameEntry = from?.state.__TSR_index === to.state.__TSR_index
        if (pathChanged || !hrefChanged || !isSameEntry) setOpen(false)
      }),
    [router],
  )
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const isClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (isClosed && !document.activeElement?.closest('.banner')) main.current?.focus({ preventScroll: true })
  }, [isOpen, main])
  return [isOpen, setOpen]
}

/** A new page begins at its top, and the keyboard with it. Back and Forward lead to where the page was left. */
function useBeginning(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  const { pathname, state } = useLocation()
  const key = state.__TSR_key ?? ''
  const shown = useRef({ pathname, key })
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
        if (fromLocation?.state.__TSR_key) notePlace(fromLocation.state.__TSR_key)
      }),
    [router],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once at each entry of the history
  useEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { pathname, key }
    const place = placeOf(key)
    if (before.pathname !== pathname) {
      if (!place) main.current?.scrollTo(0, 0)
      main.current?.focus({ preventScroll: true })
    }
    return place && returnTo(place, () => router.state.status === 'idle')
  }, [pathname, key])
}

/** The notice while the server can't be reached. It goes away by itself. */
function Reach() {
  const isDown = useSyncExternalStore(unreachable.subscribe, unreachable.get)
  if (!isDown) return null
  return (
    <div role="alert" className="reach">
      <strong>Posthorn can't be reached.</strong> Trying again by itself. What you typed is kept.
    </div>
  )
}
