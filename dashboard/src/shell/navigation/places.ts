import { useMemo } from 'react'
import { isFor, navigation, type PageEntry, type PlaceEntry, pages } from '../../pages.ts'
import { useMe } from '../../session/me.ts'

export type Place = PlaceEntry & { name: string; page: PageEntry }

const pageOf = new Map<string, PageEntry>(pages.map((page) => [page.path, page]))
const groups = navigation.map(({ name, places }) => ({ name, places: places.map(withPage) }))

function withPage(place: PlaceEntry): Place {
  const page = pageOf.get(place.path)!
  return { ...place, page, name: page.title }
}

export const allPlaces = groups.flatMap(({ places }) => places)

/** The places by group that are for the signed-in person's role. */
export function usePlaceGroups(): { name: string; places: Place[] }[] {
  const { role } = useMe()
  return useMemo(
    () =>
      groups
        .map(({ name, places }) => ({ name, places: places.filter(({ page }) => isFor(role, page)) }))
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
