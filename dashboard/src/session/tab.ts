const keptAs = 'posthorn-tab'
const own: { id?: string } = {}

/** The name of this tab, which stays over reloads. While the tab is open it holds a lock of that name. */
export function tabId(): string {
  own.id ??= beginTab()
  return own.id
}

function beginTab(): string {
  const id = sessionStorage.getItem(keptAs) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
  sessionStorage.setItem(keptAs, id)
  // Shared, because a duplicated tab has the same name.
  void navigator.locks?.request(`${keptAs} ${id}`, { mode: 'shared' }, () => new Promise(() => undefined))
  return id
}

/** The tabs that are open. Locks exist only on https and localhost; elsewhere every other tab counts as closed. */
export async function openTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(keptAs))
  return new Set(names.map((name) => name.slice(keptAs.length + 1)))
}
