/** A queue, first in, first out, bounded in number, bytes and time. */
export type BoundedQueue<T> = {
  readonly count: number
  /** Returns false if the queue is full. `giveUp` is called if the item is not taken within `waitMs`. */
  add(item: T, sizeBytes: number, giveUp: () => void): boolean
  /** Takes the item that waits longest. With a mark, only an item that was added before it. */
  take(addedBefore?: number): T | null
  /** Returns a mark that separates the items added so far from later ones. */
  mark(): number
}

type QueueLimits = { countMax: number; bytesMax?: number; waitMs?: number }

type Place<T> = { item: T | null; sizeBytes: number; number: number; timer: NodeJS.Timeout | undefined; left: boolean }

const noLimit = Number.POSITIVE_INFINITY

export function createBoundedQueue<T>({
  countMax,
  bytesMax = noLimit,
  waitMs = noLimit,
}: QueueLimits): BoundedQueue<T> {
  let places: Place<T>[] = []
  let head = 0
  let count = 0
  let bytes = 0
  let added = 0

  /**
   * Empties a place and returns its item, which the place would otherwise keep in memory while it stays in the array.
   */
  function leave(place: Place<T>): T {
    const item = place.item as T
    place.item = null
    place.left = true
    clearTimeout(place.timer)
    count--
    bytes -= place.sizeBytes
    return item
  }

  /** Removes empty places. They stay in the array until they reach its front or make up half of it. */
  function compact() {
    while (places[head]?.left) head++
    if (head > 1024 && head * 2 > places.length) {
      places = places.slice(head)
      head = 0
    }
  }

  return {
    get count() {
      return count
    },
    add(item, sizeBytes, giveUp) {
      if (count >= countMax || bytes + sizeBytes > bytesMax) return false
      const expire = () => {
        leave(place)
        compact()
        giveUp()
      }
      const timer = waitMs === noLimit ? undefined : setTimeout(expire, waitMs).unref()
      const place: Place<T> = { item, sizeBytes, number: added++, timer, left: false }
      places.push(place)
      count++
      bytes += sizeBytes
      return true
    },
    take(addedBefore = added) {
      const place = places[head]
      if (!place || place.number >= addedBefore) return null
      const item = leave(place)
      compact()
      return item
    },
    mark: () => added,
  }
}
