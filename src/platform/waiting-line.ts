/** First in, first out, bounded in number, bytes and time. */
export type WaitingLine<T> = {
  readonly count: number
  /** False where there is no room. `giveUp` is called when nobody took it in time. */
  add(item: T, sizeBytes: number, giveUp: () => void): boolean
  /** The one that waits longest, and not longer than `addedBefore` (a `mark`), where that is given. */
  take(addedBefore?: number): T | null
  /** Everything added from here on counts as later. */
  mark(): number
}

type Place<T> = { item: T; sizeBytes: number; number: number; timer: NodeJS.Timeout; left: boolean }

export function createWaitingLine<T>(limits: { countMax: number; bytesMax: number; waitMs: number }): WaitingLine<T> {
  let places: Place<T>[] = []
  let head = 0
  let count = 0
  let bytes = 0
  let added = 0

  function leave(place: Place<T>) {
    place.left = true
    clearTimeout(place.timer)
    count--
    bytes -= place.sizeBytes
  }

  /** Those who have left stay in the array until they are at its front, or are half of it. */
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
      if (count >= limits.countMax || bytes + sizeBytes > limits.bytesMax) return false
      const expire = () => {
        leave(place)
        compact()
        giveUp()
      }
      const timer = setTimeout(expire, limits.waitMs).unref()
      const place: Place<T> = { item, sizeBytes, number: added++, timer, left: false }
      places.push(place)
      count++
      bytes += sizeBytes
      return true
    },
    take(addedBefore = added) {
      const place = places[head]
      if (!place || place.number >= addedBefore) return null
      leave(place)
      compact()
      return place.item
    },
    mark: () => added,
  }
}
