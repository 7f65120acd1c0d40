import { readFile } from 'node:fs/promises'

/** How long the parsed file is used without a check. */
const keepMs = 5000
/** Lists of blocked hosts have a few megabytes. */
const fileMaxCharacters = 16 * 1024 * 1024

/** Parses a file and reads it again after 5 s at the earliest. A file that cannot be read counts as empty. */
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
