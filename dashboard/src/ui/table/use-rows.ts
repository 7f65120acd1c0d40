import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { List } from '../../api/list.ts'
import { useShortcut } from '../go/shortcuts.ts'
import { useMedia } from '../use-media.ts'

const narrowPx = 64
/** A button for fingers, of 44 px, beside the first line, and the second line below. */
const withButtonPx = 80
const rowPx = 36
const coarsePx = 44
const aheadRows = 30

type More = Pick<List<unknown>, 'hasMore' | 'loadMore' | 'moreError'>

/** The rows in sight of a list inside the nearest `.scroller`. All are `size` px high. */
export function useRows(body: RefObject<HTMLElement | null>, count: number, more: More, size: number) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const found = body.current?.closest<HTMLElement>('.scroller') ?? null
    if (found !== scroller) setScroller(found)
    if (!found || !body.current) return
    // The content above the rows may have grown since the last time.
    const top = body.current.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop
    if (Math.abs(top - offset) > 1) setOffset(top)
  })
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => size,
    overscan: 8,
    scrollMargin: offset,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are kept until they are measured again
  useEffect(() => virtualizer.measure(), [size])
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  // A page that was refused is asked for by a person, or after the time that the server named.
  const isNearEnd = more.hasMore && !more.moreError && last >= count - aheadRows
  useEffect(() => {
    if (isNearEnd) more.loadMore()
  }, [isNearEnd, more])
  useRowKeys(body, count, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }))
  return { items, height: virtualizer.getTotalSize(), offset }
}

/** `j` and `k` move the focus over the rows; Enter follows the link of the row, as ever. */
function useRowKeys(body: RefObject<HTMLElement | null>, count: number, scrollTo: (index: number) => void): void {
  const awaited = useRef<number>(undefined)
  const focus = (index: number) => {
    const row = body.current?.querySelector(`[data-index="${index}"]`)
    const control = row?.querySelector<HTMLElement>('a, button')
    control?.focus({ preventScroll: true })
    return control !== undefined && control !== null
  }
  const move = (by: number) => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')
    const at = awaited.current ?? (focused && body.current?.contains(focused) ? Number(focused.dataset.index) : null)
    const goal = at === null ? 0 : Math.max(0, Math.min(count - 1, at + by))
    scrollTo(goal)
    if (focus(goal)) return
    // A row out of sight is in the page with the next frame.
    awaited.current = goal
    requestAnimationFrame(() => {
      if (awaited.current === goal) awaited.current = undefined
      focus(goal)
    })
  }
  useShortcut('j', 'Next row', () => move(1))
  useShortcut('k', 'Previous row', () => move(-1))
}

/** The height of a table's row in px. On a phone, a row with buttons is higher. */
export function useRowSize(hasButtons: boolean): number {
  const isNarrow = useMedia('(max-width: 899px)')
  const isCoarse = useMedia('(pointer: coarse)')
  if (isNarrow) return isCoarse && hasButtons ? withButtonPx : narrowPx
  return isCoarse ? coarsePx : rowPx
}
