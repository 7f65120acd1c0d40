const controls = 'a[href], button:not(:disabled), input, select, textarea, [tabindex]'

/**
 * Notes what has the focus. The returned function gives the focus back to it. If that is removed then, such as the row
 * of a thing that was deleted, the focus goes to what takes its place, else to the content of the page.
 */
export function noteFocus(): () => void {
  const before = document.activeElement
  if (!(before instanceof HTMLElement) || before === document.body) return () => undefined
  const around = ancestorsOf(before)
  return () => {
    before.focus()
    if (before.isConnected) watch(before, around)
    else focusInstead(around, null)
  }
}

/** Waits until the element loses the focus. If it does because it is removed, another gets the focus. */
function watch(element: HTMLElement, around: HTMLElement[]): void {
  const observer = new MutationObserver((records) => {
    if (element.isConnected) return
    stop()
    const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)))
    focusInstead(around, removal ?? null)
  })
  const stop = () => {
    observer.disconnect()
    document.removeEventListener('focusin', stop)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', stop)
}

/** Leaves the focus where it is, if somebody or another page has moved it meanwhile. */
function focusInstead(around: HTMLElement[], removal: MutationRecord | null): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const beside = removal ? neighboursOf(removal) : []
  const inPlace = beside.map(firstControl).find((control) => control)
  const main = around.find((one) => one.isConnected && one.matches('dialog, main')) ?? document.querySelector('main')
  const instead = inPlace ?? main
  instead?.focus({ preventScroll: instead === main })
}

/** Returns what stands in the place of what was removed, and what stands before it. */
function neighboursOf({ target, previousSibling, nextSibling }: MutationRecord): Element[] {
  if (!(target instanceof Element)) return []
  const before = elementFrom(previousSibling, 'previousSibling')
  const after = before
    ? before.nextElementSibling
    : (elementFrom(nextSibling, 'nextSibling') ?? target.firstElementChild)
  return [after, before].filter((one) => one?.isConnected === true) as Element[]
}

function elementFrom(node: Node | null, side: 'previousSibling' | 'nextSibling'): Element | null {
  for (let at = node; at !== null; at = at[side]) if (at instanceof Element && at.isConnected) return at
  return null
}

function firstControl(element: Element): HTMLElement | null {
  return element.matches(controls) ? (element as HTMLElement) : element.querySelector<HTMLElement>(controls)
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at; at = at.parentElement) found.push(at)
  return found
}
