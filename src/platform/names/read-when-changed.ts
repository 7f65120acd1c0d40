import { readFile } from 'node:fs/promises'

/** How old what was read may be. */
const keepMs = 5000
/** Lists of blocked hosts have a few megabytes. */
const fileMaxCharacters = 16 * 1024 * 1024

/** What `parse` makes of a file, read again after 5 s at the earliest; of one that cannot be read, what it makes of an empty one. */
export function readWhenChanged<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let text: string | undefined
  let parsed: Promise<T> | undefined
  let readAt = 0
  async function read(before: Promise<T> | undefined): Promise<T> {
    const now = await readFile(path, 'utf8').catch(() => '')
    if (before && now === text) return before
    text = now
    return parse(now.slice(0, fileMaxCharacters))
  }
  return () => {
    if (parsed && performance.now() - readAt < keepMs) return parsed
    readAt = performance.now()
    parsed = read(parsed)
    return parsed
  }
}
