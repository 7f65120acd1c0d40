import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { isFor, type PageEntry, pages } from '../pages.ts'
import { meQuery } from '../session/me.ts'
import { Button } from '../ui/button/button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Go } from '../ui/go/go.tsx'
import { textOfFault } from '../ui/text/fault.tsx'
import { Frame } from './frame.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
const framed = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

function NotFound() {
  return (
    <Frame>
      <Page title="Page not found" isNarrow>
        <p>
          There is no page at this address. The link may be old or mistyped. <Go to="/">Open the overview</Go>
        </p>
      </Page>
    </Frame>
  )
}

/** Shown where a page's code could not be loaded, such as after an update, or has a bug. */
function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown" isNarrow>
      <p role="alert">{textOfFault(error)}</p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </Page>
  )
}

function routeOf(entry: PageEntry) {
  return createRoute({
    getParentRoute: () => (entry.isOpen ? root : framed),
    path: entry.path.replaceAll('/:', '/$') as string,
    component: lazyRouteComponent(entry.load),
    errorComponent: PageFailed,
    loaderDeps: ({ search }) => search as Record<string, string>,
    // The page of another thing begins anew: a fault, a choice or half a form of the one before is not for it.
    remountDeps: ({ params }) => params,
    loader: async ({ params, deps }) => {
      const { prefetch } = await entry.load()
      if (prefetch && (await mayRead(entry)))
        prefetch(client, { params: params as Record<string, string>, search: deps })
    },
  })
}

/** Without a session, signing in follows, and the page fetches by itself. */
async function mayRead(entry: PageEntry): Promise<boolean> {
  if (entry.needs === undefined) return true
  return client.ensureQueryData(meQuery).then(
    ({ role }) => isFor(role, entry),
    () => false,
  )
}

const inFrame = pages.filter(({ isOpen }) => !isOpen).map(routeOf)
const open = pages.filter(({ isOpen }) => isOpen).map(routeOf)

export const router = createRouter({
  routeTree: root.addChildren([framed.addChildren(inFrame), ...open]),
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultStructuralSharing: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})
