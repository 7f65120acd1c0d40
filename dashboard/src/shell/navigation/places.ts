import { useMemo } from 'react'
import { isFor, type PageEntry, pages } from '../../pages.ts'
import type { PagePath } from '../../paths.ts'
import { useMe } from '../../session/me.ts'

/** An entry of the navigation. `key` follows `g`. */
export type Place = { path: PagePath; name: string; key?: string; isPart?: true }

/** All places of the navigation by group. */
// biome-ignore format: one line a place
const groups: { name: string; places: Place[] }[] = [
  {
    name: 'Channels',
    places: [
      { path: '/', name: 'Overview', key: 'o' },
      { path: '/inbox', name: 'Inbox', key: 'i' },
      { path: '/emails', name: 'Emails', key: 'e' },
      { path: '/broadcasts', name: 'Broadcasts', key: 'b' },
      { path: '/sms', name: 'SMS', key: 's' },
      { path: '/sms/senders', name: 'SMS senders', isPart: true },
      { path: '/sms/opt-outs', name: 'SMS opt-outs', isPart: true },
      { path: '/whatsapp', name: 'WhatsApp', key: 'w' },
      { path: '/whatsapp/templates', name: 'WhatsApp templates', isPart: true },
      { path: '/whatsapp/senders', name: 'WhatsApp senders', isPart: true },
    ],
  },
  {
    name: 'Audience',
    places: [
      { path: '/contacts', name: 'Contacts', key: 'c' },
      { path: '/contacts/import', name: 'Import contacts', isPart: true },
      { path: '/segments', name: 'Segments', key: 'g' },
      { path: '/topics', name: 'Topics', key: 't' },
      { path: '/suppressions', name: 'Suppressions', key: 'x' },
    ],
  },
  {
    name: 'Automation',
    places: [
      { path: '/templates', name: 'Templates', key: 'p' },
      { path: '/workflows', name: 'Workflows', key: 'f' },
      { path: '/workflows/credentials', name: 'Credentials', isPart: true },
      { path: '/webhooks', name: 'Webhooks', key: 'h' },
    ],
  },
  {
    name: 'Sending',
    places: [
      { path: '/domains', name: 'Domains', key: 'd' },
      { path: '/api-keys', name: 'API keys', key: 'k' },
      { path: '/metrics', name: 'Metrics', key: 'm' },
    ],
  },
  {
    name: 'Team',
    places: [
      { path: '/usage', name: 'Usage', key: 'u' },
      { path: '/billing', name: 'Billing', key: 'l' },
      { path: '/settings', name: 'Settings', key: 'n' },
      { path: '/settings/members', name: 'Members', isPart: true },
      { path: '/settings/account', name: 'Account', isPart: true },
      { path: '/settings/security', name: 'Security', isPart: true },
      { path: '/settings/audit', name: 'Audit log', isPart: true },
      { path: '/settings/requests', name: 'Request log', isPart: true },
      { path: '/settings/privacy', name: 'Privacy', isPart: true },
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
