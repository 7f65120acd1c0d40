import { parseJson } from '../api/exact-json.ts'
import { openTabs, tabId } from './tab.ts'

/** The owner of a draft: the ids of a user and a team. */
export type DraftOwner = { userId: string; teamId: string }

/** A draft as the browser holds it. */
export type KeptDraft = { at: string; value: unknown }

type Place = { key: string; page: string; tab: string; at: string }

const prefix = 'posthorn-draft '
/** Ours. Older drafts and those beyond the number are removed. */
const daysMax = 30
const draftsMax = 50
/** The time at which the session expired. Its drafts stay for a day, so that the person can sign in again. */
const endedKeptAs = 'posthorn-session-ended'
const endedForMaxMs = 86_400_000

/** False from signing out until signing in, so that no page that is being left keeps anything. */
const keeping = { isOn: true }

/** False after `forgetDrafts`. */
export function isKeeping(): boolean {
  return keeping.isOn
}

/** Keeps the draft of a page, in this tab's place. Returns false if the browser has no room for it. */
export function keepDraft(owner: DraftOwner, page: string, json: string): boolean {
  if (!keeping.isOn) return true
  try {
    localStorage.setItem(keyOf(owner, page, tabId()), `{"at":${JSON.stringify(new Date())},"value":${json}}`)
    return true
  } catch {
    return false
  }
}

export function dropDraft(owner: DraftOwner, page: string): void {
  localStorage.removeItem(keyOf(owner, page, tabId()))
}

/** Forgets all drafts and keeps none until `startKeeping`. */
export function forgetDrafts(): void {
  keeping.isOn = false
  for (const { key } of listKeys()) localStorage.removeItem(key)
}

/** Keeps drafts from now on, and forgets those of other users of this browser. */
export function startKeeping(userId: string): void {
  forgetAbandoned()
  localStorage.removeItem(endedKeptAs)
  keeping.isOn = true
  for (const { key, user } of listKeys()) if (user !== userId) localStorage.removeItem(key)
}

/** Records that the session has expired. Deletes all drafts a day after the first such call. */
export function noteSessionEnded(): void {
  if (localStorage.getItem(endedKeptAs) === null) localStorage.setItem(endedKeptAs, String(Date.now()))
  forgetAbandoned()
  // For a browser that is left open.
  setTimeout(forgetAbandoned, endedForMaxMs)
}

function forgetAbandoned(): void {
  const endedMs = localStorage.getItem(endedKeptAs)
  if (endedMs !== null && Date.now() - Number(endedMs) >= endedForMaxMs) {
    for (const { key } of listKeys()) localStorage.removeItem(key)
  }
}

/**
 * Returns the draft of a page: this tab's, or the newest of the tabs that are closed, which becomes this tab's. A page
 * without a query also finds the drafts of itself with one. The answer is immediate unless other tabs must be asked
 * for.
 */
export function findDraft(owner: DraftOwner, page: string): KeptDraft | null | Promise<KeptDraft | null> {
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

/** The drafts of an owner, newest first. */
function placesOf(owner: DraftOwner): Place[] {
  const oldest = new Date(Date.now() - daysMax * 86_400_000).toISOString()
  const all = listKeys()
    .flatMap(({ key, user, team, page, tab }) => {
      const at = read(key)?.at
      return at === undefined ? [] : [{ key, user, team, page, tab, at }]
    })
    .sort((one, other) => (one.at < other.at ? 1 : -1))
  for (const [index, { key, at }] of all.entries()) {
    if (index >= draftsMax || at < oldest) localStorage.removeItem(key)
  }
  return all.filter(({ user, team }) => user === owner.userId && team === owner.teamId)
}

/** Brings a draft to the place of this tab and page. */
function move({ key }: Place, owner: DraftOwner, page: string): KeptDraft | null {
  const draft = read(key)
  if (!draft) return null
  const target = keyOf(owner, page, tabId())
  if (key !== target) {
    const text = localStorage.getItem(key)!
    localStorage.removeItem(key)
    localStorage.setItem(target, text)
  }
  return draft
}

function read(key: string): KeptDraft | null {
  try {
    const draft = parseJson(localStorage.getItem(key) ?? 'null') as Partial<KeptDraft> | null
    return typeof draft?.at === 'string' && draft.value !== undefined ? { at: draft.at, value: draft.value } : null
  } catch {
    return null
  }
}

function keyOf({ userId, teamId }: DraftOwner, page: string, tab: string): string {
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
