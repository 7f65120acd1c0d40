import { parseJson } from '../api/exact-json.ts'
import { openTabs, tabId } from './tab.ts'

/*
 * Keeps in this browser what is typed on a page and not saved. People read *draft* for it, which in code is an unsent
 * broadcast. It stands here and not in `typing/`, which imports this folder: signing in, signing out and the end of a
 * session say what is kept.
 */

export type TypingOwner = { userId: string; teamId: string }

/** Typing as the browser holds it. */
export type KeptTyping = { at: string; value: unknown }

type Place = { key: string; page: string; tab: string; at: string }

/** Browsers hold typing under this name, so it cannot change. */
const prefix = 'posthorn-draft '
/** Our choice. Typing that is older is removed, and so is all but the newest of so many pages. */
const daysMax = 30
const pagesMax = 50
/** The time at which the session expired. Typing stays for a day, so that the person can sign in again. */
const endedKeptAs = 'posthorn-session-ended'
const endedForMaxMs = 86_400_000

/** False from signing out until signing in, so that no page that is being left keeps anything. */
const keeping = { isOn: true }

/** False after `forgetTyping`. */
export function isKeeping(): boolean {
  return keeping.isOn
}

/** Keeps the typing of a page, in this tab's place. Returns false if the browser has no room for it. */
export function keepTyping(owner: TypingOwner, page: string, json: string): boolean {
  if (!keeping.isOn) return true
  try {
    localStorage.setItem(keyOf(owner, page, tabId()), `{"at":${JSON.stringify(new Date())},"value":${json}}`)
    return true
  } catch {
    return false
  }
}

export function dropTyping(owner: TypingOwner, page: string): void {
  localStorage.removeItem(keyOf(owner, page, tabId()))
}

/** Forgets all typing and keeps none until `startKeeping`. */
export function forgetTyping(): void {
  keeping.isOn = false
  for (const { key } of listKeys()) localStorage.removeItem(key)
}

/** Keeps typing from now on, and forgets that of other users of this browser. */
export function startKeeping(userId: string): void {
  forgetAbandoned()
  localStorage.removeItem(endedKeptAs)
  keeping.isOn = true
  for (const { key, user } of listKeys()) if (user !== userId) localStorage.removeItem(key)
}

/** Records that the session has expired. Deletes all typing a day after the first such call. */
export function noteSessionEnded(): void {
  if (localStorage.getItem(endedKeptAs) === null) localStorage.setItem(endedKeptAs, String(Date.now()))
  forgetAbandoned()
  // For a browser that is left open.
  setTimeout(forgetAbandoned, endedForMaxMs)
}

/** Tells whether a change of the browser's storage says that another tab has signed in after the session had ended. */
export function isSignInElsewhere({ key, newValue }: StorageEvent): boolean {
  return key === endedKeptAs && newValue === null
}

function forgetAbandoned(): void {
  const endedMs = localStorage.getItem(endedKeptAs)
  if (endedMs !== null && Date.now() - Number(endedMs) >= endedForMaxMs) {
    for (const { key } of listKeys()) localStorage.removeItem(key)
  }
}

/**
 * Returns the typing of a page: this tab's, or the newest of the tabs that are closed, which becomes this tab's. A page
 * without a query also finds the typing of itself with one. The answer is immediate unless other tabs must be asked
 * for.
 */
export function findTyping(owner: TypingOwner, page: string): KeptTyping | null | Promise<KeptTyping | null> {
  const places = placesOf(owner).filter((one) => one.page === page || one.page.startsWith(`${page}?`))
  const own = tabId()
  const mine = places.find(({ tab }) => tab === own)
  if (mine) return move(mine, owner, page)
  if (places.length === 0) return null
  return openTabs().then((open) => {
    const left = places.find(({ tab }) => !open.has(tab))
    return left ? move(left, owner, page) : null
  })
}

/** The places of an owner's typing, newest first. */
function placesOf(owner: TypingOwner): Place[] {
  const oldest = new Date(Date.now() - daysMax * 86_400_000).toISOString()
  const all = listKeys()
    .flatMap(({ key, user, team, page, tab }) => {
      const at = read(key)?.at
      return at === undefined ? [] : [{ key, user, team, page, tab, at }]
    })
    .sort((one, other) => (one.at < other.at ? 1 : -1))
  for (const [index, { key, at }] of all.entries()) {
    if (index >= pagesMax || at < oldest) localStorage.removeItem(key)
  }
  return all.filter(({ user, team }) => user === owner.userId && team === owner.teamId)
}

/** Brings typing to the place of this tab and page. */
function move({ key }: Place, owner: TypingOwner, page: string): KeptTyping | null {
  const typing = read(key)
  if (!typing) return null
  const target = keyOf(owner, page, tabId())
  if (key !== target) {
    const text = localStorage.getItem(key)!
    localStorage.removeItem(key)
    localStorage.setItem(target, text)
  }
  return typing
}

function read(key: string): KeptTyping | null {
  try {
    const kept = parseJson(localStorage.getItem(key) ?? 'null') as Partial<KeptTyping> | null
    return typeof kept?.at === 'string' && kept.value !== undefined ? { at: kept.at, value: kept.value } : null
  } catch {
    return null
  }
}

function keyOf({ userId, teamId }: TypingOwner, page: string, tab: string): string {
  return prefix + JSON.stringify([userId, teamId, page, tab])
}

function listKeys() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const [user, team, page, tab] = JSON.parse(key.slice(prefix.length)) as [string, string, string, string]
      return { key, user, team, page, tab }
    })
}
