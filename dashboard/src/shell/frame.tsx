import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { startLive } from '../api/live.ts'
import { Again } from '../session/again.tsx'
import { meQuery } from '../session/me.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Failed } from '../ui/states.tsx'
import { Banner } from './banner.tsx'
import { Navigation } from './navigation.tsx'
import { Reach } from './reach.tsx'
import { useShellShortcuts } from './shell-shortcuts.ts'

const { Part: Palette, prefetch: loadPalette } = lazyPart(() => import('./palette.tsx'), null)
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
  const navigate = useNavigate()
  const here = useRef(useLocation().href)
  useEffect(() => {
    const next = here.current === '/' ? {} : { next: here.current }
    void navigate({ to: '/sign-in' as never, search: next as never, replace: true })
  }, [navigate])
  return null
}

function Framed({ children }: { children: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { open, close, show } = useShellShortcuts()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(pathname)
  useEffect(startLive, [])
  useEffect(() => {
    // Ready before the first key, so that what is typed at once is not lost.
    // A failure is met when the palette is opened.
    const timer = setTimeout(() => loadPalette().catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    setMenuOpen(false)
    // The new page begins at its top, and the keyboard with it.
    main.current?.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
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
      {open === 'palette' && <Palette onClose={close} onShow={show} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
    </div>
  )
}
