import { useMemo } from 'react'
import { isFor, type PageEntry, pages } from '../../pages.ts'
import type { PagePath } from '../../paths.ts'
import { useMe } from '../../session/me.ts'

/** An entry of the navigation. `key` follows `g`. `glyph` has the lines on a grid of 16, as those of `ui/icon.tsx`. */
export type Place = { path: PagePath; name: string; key?: string; isPart?: true; glyph: string }

/** All places of the navigation by group. */
// biome-ignore format: one line a place
const groups: { name: string; places: Place[] }[] = [
  {
    name: 'Channels',
    places: [
      { path: '/', name: 'Overview', key: 'o', glyph: 'M2.5 7.5L8 2.5l5.5 5v6h-4v-4h-3v4h-4z' },
      { path: '/inbox', name: 'Inbox', key: 'i', glyph: 'M2.5 9l2-6h7l2 6v4.5h-11zM2.5 9h3.25l1 2h2.5l1-2h3.25' },
      { path: '/emails', name: 'Emails', key: 'e', glyph: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5' },
      { path: '/broadcasts', name: 'Broadcasts', key: 'b', glyph: 'M2.5 6.5v3h2.25L12 13V3L4.75 6.5zM5.5 10l.75 3.5h1.5' },
      { path: '/sms', name: 'SMS', key: 's', glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3z' },
      { path: '/sms/senders', name: 'SMS senders', isPart: true, glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3zM5.5 7L7 8.5l3-3' },
      { path: '/sms/opt-outs', name: 'SMS opt-outs', isPart: true, glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3zM6.5 5.5l3 3M9.5 5.5l-3 3' },
      { path: '/whatsapp', name: 'WhatsApp', key: 'w', glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM6 6v.5A3.5 3.5 0 0 0 9.5 10h.5' },
      { path: '/whatsapp/templates', name: 'WhatsApp templates', isPart: true, glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM5.5 7h5M5.5 9.5h3' },
      { path: '/whatsapp/senders', name: 'WhatsApp senders', isPart: true, glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM6 8.25l1.5 1.5L10.25 7' },
    ],
  },
  {
    name: 'Audience',
    places: [
      { path: '/contacts', name: 'Contacts', key: 'c', glyph: 'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM2 13c0-2.25 1.75-3.5 4-3.5s4 1.25 4 3.5M10.5 3.25a2.25 2.25 0 0 1 0 4M12 9.75c1.25.5 2 1.5 2 3.25' },
      { path: '/contacts/import', name: 'Import contacts', isPart: true, glyph: 'M8 2.5v7M5 6.5l3 3 3-3M2.5 10v3.5h11V10' },
      { path: '/segments', name: 'Segments', key: 'g', glyph: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5H8zM10.5 2.75a5.5 5.5 0 0 1 2.75 2.75h-2.75z' },
      { path: '/topics', name: 'Topics', key: 't', glyph: 'M2.5 2.5h5l6 6-5 5-6-6zM5.25 5.25h.01' },
      { path: '/suppressions', name: 'Suppressions', key: 'x', glyph: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.25 4.25l7.5 7.5' },
    ],
  },
  {
    name: 'Automation',
    places: [
      { path: '/templates', name: 'Templates', key: 'p', glyph: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2' },
      { path: '/workflows', name: 'Workflows', key: 'f', glyph: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v5h5' },
      { path: '/workflows/credentials', name: 'Credentials', isPart: true, glyph: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5' },
      { path: '/webhooks', name: 'Webhooks', key: 'h', glyph: 'M6 2.5L2.5 8 6 13.5M10 2.5L13.5 8 10 13.5' },
    ],
  },
  {
    name: 'Sending',
    places: [
      { path: '/domains', name: 'Domains', key: 'd', glyph: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM2.5 8h11M8 2.5c-3 3.5-3 7.5 0 11M8 2.5c3 3.5 3 7.5 0 11' },
      { path: '/api-keys', name: 'API keys', key: 'k', glyph: 'M5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 8h6v2.5M11.5 8v2' },
      { path: '/metrics', name: 'Metrics', key: 'm', glyph: 'M2.5 13.5h11M4.5 11V8M8 11V3M11.5 11V5.5' },
    ],
  },
  {
    name: 'Team',
    places: [
      { path: '/usage', name: 'Usage', key: 'u', glyph: 'M3.5 12.5a6 6 0 1 1 9 0M8 9l2.5-3.5' },
      { path: '/billing', name: 'Billing', key: 'l', glyph: 'M2 3.5h12v9H2zM2 6.5h12M4.5 10h2' },
      { path: '/settings', name: 'Settings', key: 'n', glyph: 'M2.5 4.5h6M11.5 4.5h2M10 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM2.5 11.5h2M7.5 11.5h6M6 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z' },
      { path: '/settings/members', name: 'Members', isPart: true, glyph: 'M6.5 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM2.5 13c0-2.25 1.75-3.5 4-3.5s4 1.25 4 3.5M12 4.5v4M10 6.5h4' },
      { path: '/settings/account', name: 'Account', isPart: true, glyph: 'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c0-2.5 2-4 5-4s5 1.5 5 4' },
      { path: '/settings/security', name: 'Security', isPart: true, glyph: 'M8 2l5 1.75V8c0 2.75-2 4.75-5 6-3-1.25-5-3.25-5-6V3.75z' },
      { path: '/settings/audit', name: 'Audit log', isPart: true, glyph: 'M2.5 3.5h11M2.5 8h5M2.5 12.5h4M9 10.5l1.75 1.75L14 9' },
      { path: '/settings/requests', name: 'Request log', isPart: true, glyph: 'M2.5 5h11M10.5 2l3 3-3 3M13.5 11h-11M5.5 8l-3 3 3 3' },
      { path: '/settings/privacy', name: 'Privacy', isPart: true, glyph: 'M1.5 8C4.5 3.25 11.5 3.25 14.5 8c-3 4.75-10 4.75-13 0zM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z' },
    ],
  },
]

const pageOf = new Map<string, PageEntry>(pages.map((page) => [page.path, page]))

export const allPlaces = groups.flatMap(({ places }) => places)

/** The places by group that are for the signed-in person's role. */
export function usePlaceGroups(): { name: string; places: Place[] }[] {
  const { role } = useMe()
  return useMemo(
    () =>
      groups
        .map(({ name, places }) => ({ name, places: places.filter(({ path }) => isFor(role, pageOf.get(path))) }))
        .filter(({ places }) => places.length > 0),
    [role],
  )
}

/** The places that are for the signed-in person's role. */
export function usePlaces(): Place[] {
  const groups = usePlaceGroups()
  return useMemo(() => groups.flatMap(({ places }) => places), [groups])
}

/** Returns the place that a path is in: the longest that it begins with. */
export function placeOf(path: string): Place | undefined {
  return allPlaces
    .filter((place) => path === place.path || (place.path !== '/' && path.startsWith(`${place.path}/`)))
    .sort((one, other) => other.path.length - one.path.length)[0]
}

/** Tells whether two places are the same, parts of the same place, or one a part of the other. */
export function areRelated(one: Place, other: Place | undefined): boolean {
  return one.path.split('/')[1] === other?.path.split('/')[1]
}
