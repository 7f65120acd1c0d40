import { queryOptions, useQuery } from '@tanstack/react-query'
import { applyHint, client, everyNoun } from '../api/client.ts'
import type { Posts } from '../api/endpoints.ts'
import { holdRequests, releaseRequests } from '../api/hold.ts'
import { keys } from '../api/keys.ts'
import { Refusal } from '../api/refusal.ts'
import { type Answer, get, post } from '../api/request.ts'
import { type RestrictedRequest, type Role, rolesOf } from '../api/roles.ts'
import { createStore } from '../api/store.ts'
import { say } from '../ui/dialog/toast.tsx'
import { capital } from '../ui/text/words.ts'
import { startKeeping } from './kept-typing.ts'

export type Me = Answer<'/auth/me'>

export const meQuery = queryOptions({
  queryKey: keys.part('auth/me', 'me'),
  queryFn: async ({ signal }) => takeIn(await get('/auth/me', {}, { signal, isAnonymous: true })),
  staleTime: 60_000,
})

/** The value names the person and the team, so that other tabs hear when they become others. */
const knownAs = 'posthorn-signed-in'

/** The person and the team of this browser's session, where another tab has made them others than those of the page. */
export const becameOther = createStore<Me | null>(null)

/** Tells whether a key of the browser's storage is the one that says who is signed in. */
export function isSessionKey(key: string | null): boolean {
  return key === knownAs
}

/**
 * Whether somebody has signed in to this browser and not signed out. Asking the server would be refused, into the
 * console.
 */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(knownAs) !== null
}

function noteSession(me: Me): Me {
  localStorage.setItem(knownAs, `${me.user.id} ${me.team.id}`)
  startKeeping(me.user.id)
  if (becameOther.get()) goOn()
  return me
}

/** Lets the page go on. What changed while its requests waited was not heard. */
function goOn(): void {
  becameOther.set(null)
  releaseRequests()
  applyHint(everyNoun())
}

/**
 * Takes in who is signed in. A page of another person or team stays as it is, and its requests wait: they would show
 * and change what belongs to others.
 */
function takeIn(me: Me): Me {
  const shown = client.getQueryData(meQuery.queryKey)
  const isSame = shown !== undefined && isSamePlace(shown, me)
  // The page loses at once the buttons that the role may not use.
  if (isSame && shown.role !== me.role) say(`Your role in ${me.team.name} is ${me.role} now.`)
  if (!shown || isSame) return noteSession(me)
  holdRequests()
  becameOther.set(me)
  return shown
}

function isSamePlace(one: Me, other: Me): boolean {
  return one.user.id === other.user.id && one.team.id === other.team.id
}

export function forgetSession(): void {
  localStorage.removeItem(knownAs)
}

/** The signed-in user. Pages in the frame are shown only when this is known. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (data === undefined) throw new Error('useMe is used outside the frame.')
  return data
}

/** Tells whether the signed-in person may make a request. */
export function useMay(request: RestrictedRequest): boolean {
  return useHasRole(rolesOf[request])
}

/** Tells whether the signed-in person has one of these roles, for rules that depend on more than the request. */
export function useHasRole(roles: readonly Role[]): boolean {
  return roles.includes(useMe().role)
}

/** British English has no comma before the *and*. */
const roleNames = new Intl.ListFormat('en-GB')

/** Names the people who may make a request, as the beginning of a sentence: *Owners, admins and marketers*. */
export function whoMay(request: RestrictedRequest): string {
  return nameRoles(rolesOf[request])
}

/** The same for a set of roles. */
export function nameRoles(roles: readonly Role[]): string {
  return capital(roleNames.format(roles.map((role) => `${role}s`)))
}

/**
 * Turns a login into this browser's session. With `teamId`, which is the team of the page that is shown, the session is
 * in it where the person is still a member of it; otherwise the page waits, as where another tab entered another team.
 */
export async function openSession(
  token: { refreshToken: string } | { startToken: string },
  teamId?: string,
): Promise<Me> {
  // A login has other fields too, and the server refuses those it does not know.
  const body = 'refreshToken' in token ? { refreshToken: token.refreshToken } : { startToken: token.startToken }
  const me = await post('/auth/session', { body }, { isAnonymous: true })
  if (teamId === undefined) return enterAs(me)
  const now = me.team.id === teamId ? me : await switchFrom(me, teamId)
  return takeIn(now) === now ? enterAs(now) : now
}

/** A login is in the person's first team. */
async function switchFrom(me: Me, teamId: string): Promise<Me> {
  try {
    return personIn(await post('/auth/switch', { body: { teamId } }, { isAnonymous: true }))
  } catch (error) {
    if (error instanceof Refusal) return me
    throw error
  }
}

/** Shows the pages to a person in a team. The views begin empty, unless both are the same as before. */
export function enterAs(me: Me): Me {
  const before = client.getQueryData(meQuery.queryKey)
  if (!before || !isSamePlace(before, me)) client.clear()
  client.setQueryData(meQuery.queryKey, noteSession(me))
  return me
}

/** Puts this browser's session into another team of the person. */
export async function enterTeam(teamId: string): Promise<Me> {
  return enterAs(personIn(await post('/auth/switch', { body: { teamId } })))
}

/** Puts the session back into the team of the page, after another tab has entered another. */
export async function returnToTeam(teamId: string): Promise<void> {
  enterAs(personIn(await post('/auth/switch', { body: { teamId } }, { isAnonymous: true })))
}

/** With a cookie, the answer is the person, and not a login with tokens. */
function personIn(answer: Posts['/auth/switch']['answer']): Me {
  if ('accessToken' in answer) throw new Error('The server answered a browser with tokens.')
  return answer
}
