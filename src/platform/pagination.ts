import { createHash } from 'node:crypto'
import { invalid } from './errors.ts'
import type { Keyring } from './keyring.ts'

/** Where a page ended: the last id, and what the first page counted. */
export type Position = { id: string; total?: number }

/**
 * The identity of one list: its name, team and filters. A cursor is good only for the list that issued it, so one from
 * elsewhere, or one that was changed, is refused rather than misread.
 */
export type ListKey = { list: string; teamId: string; filters?: Record<string, unknown> }

export function issueCursor(keyring: Keyring, key: ListKey, position: Position): string {
  const content = Buffer.from(JSON.stringify([position.id, position.total])).toString('base64url')
  return `${content}.${keyring.sign('cursor', signed(key, content), 16).toString('base64url')}`
}

/** Throws `invalid` for a cursor this list did not issue. */
export function readCursor(keyring: Keyring, key: ListKey, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [content = '', signature = '', ...rest] = cursor.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const canonical = bytes.toString('base64url') === signature && rest.length === 0
  if (!canonical || bytes.length !== 16 || !keyring.verify('cursor', signed(key, content), bytes)) {
    throw invalid('cursor', 'is not one that this list gave with these filters; start again without it')
  }
  const [id, total] = JSON.parse(Buffer.from(content, 'base64url').toString())
  return { id, total: total ?? undefined }
}

function signed(key: ListKey, content: string): string {
  const filters = Object.entries(key.filters ?? {}).filter(([, value]) => value !== undefined)
  const digest = createHash('sha256').update(JSON.stringify(filters.sort())).digest('base64url')
  return `${key.list}\n${key.teamId}\n${digest}\n${content}`
}

/**
 * The page of rows fetched with one more than asked for, which tells whether there are more.
 */
export function pageOf<Row extends { id: string }>(
  keyring: Keyring,
  key: ListKey,
  rows: Row[],
  limit: number,
  total?: number,
): { data: Row[]; cursor: string | null; hasMore: boolean } {
  const hasMore = rows.length > limit
  const data = hasMore ? rows.slice(0, limit) : rows
  const last = data.at(-1)
  return {
    data,
    hasMore,
    cursor: hasMore && last ? issueCursor(keyring, key, { id: last.id, ...(total !== undefined && { total }) }) : null,
  }
}

/** A search text as a LIKE pattern: `%` and `_` are ordinary characters. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
