import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loaded, putPage, type Row } from './put-page.ts'

const page = (ids: string[], hasMore = true) => ({
  data: ids.map((id) => ({ id })),
  cursor: hasMore ? 'more' : null,
  hasMore,
})

/** A list whose pages begin at `null`, `1`, `2` and so on. */
const listOf = (...pages: string[][]): Loaded<Row> => ({
  pages: pages.map((ids) => page(ids)),
  pageParams: pages.map((_, index) => (index === 0 ? null : `${index}`)),
})
const idsOf = ({ pages }: Loaded<Row>) => pages.map(({ data }) => data.map(({ id }) => id))

test('a fresh first page pushes rows down and loses none', () => {
  const put = putPage(listOf(['4', '3'], ['2', '1']), null, page(['5', '4']))
  assert.deepEqual(idsOf(put), [
    ['5', '4', '3'],
    ['2', '1'],
  ])
})

test('a list that changed altogether begins again', () => {
  const fresh = page(['9', '8'])
  assert.deepEqual(putPage(listOf(['2', '1']), null, fresh), { pages: [fresh], pageParams: [null] })
  assert.deepEqual(putPage(listOf(['4', '3'], ['2', '1']), null, fresh), { pages: [fresh], pageParams: [null] })
})

test('a row that is gone leaves the page it was in', () => {
  const now = { pages: [page(['3', '2', '1'], false)], pageParams: [null] }
  assert.deepEqual(putPage(now, null, page(['3', '1'], false)).pages, [page(['3', '1'], false)])
})

test('a row that is gone from the first page costs none of the next pages', () => {
  const now = listOf(['6', '5'], ['4', '3'], ['2', '1'])
  const put = putPage(now, null, page(['5', '4']))
  assert.deepEqual(idsOf(put), [['5'], ['4', '3'], ['2', '1']])
  // The page is read again from its cursor, which is before the row that both hold.
  assert.deepEqual(idsOf(putPage(put, '1', page(['4', '3']))), [['5'], ['4', '3'], ['2', '1']])
  assert.deepEqual(idsOf(putPage(now, null, page(['7', '4']))), [['7'], ['4', '3'], ['2', '1']])
})

test('rows that are gone leave the next pages too, as far as the fresh page reaches', () => {
  const put = putPage(listOf(['6', '5'], ['4', '3'], ['2', '1']), null, page(['3', '2']))
  assert.deepEqual(idsOf(put), [[], ['3'], ['2', '1']])
  assert.deepEqual(idsOf(putPage(put, null, page(['7', '3']))), [['7'], ['3'], ['2', '1']])
})

test('a row that is gone from a page in the middle costs none of the next pages', () => {
  const put = putPage(listOf(['6', '5'], ['4', '3'], ['2', '1']), '1', page(['3', '2']))
  assert.deepEqual(idsOf(put), [['6', '5'], ['3'], ['2', '1']])
})

test('a row that has come up from a next page is shown where it is now, as it is now', () => {
  const now = listOf(['4', '3'], ['2', '1'])
  const risen = { ...page(['1', '4']), data: [{ id: '1', status: 'open' }, { id: '4' }] }
  const put = putPage(now, null, risen)
  assert.deepEqual(idsOf(put), [['1', '4', '3'], ['2']])
  assert.deepEqual(put.pages[0]!.data[0], { id: '1', status: 'open' })
  // Its former page is read again, by an answer from after or before the change.
  assert.deepEqual(idsOf(putPage(put, '1', page(['2', '0']))), [
    ['1', '4', '3'],
    ['2', '0'],
  ])
  assert.deepEqual(idsOf(putPage(put, '1', page(['2', '1']))), [['1', '4', '3'], ['2']])
})

test('a first page that rows from the next pages fill begins again, since what follows it is not known', () => {
  const fresh = page(['1', '2'])
  assert.deepEqual(idsOf(putPage(listOf(['6', '5'], ['4', '3'], ['2', '1']), null, fresh)), [['1', '2']])
})

test('a fresh page that is the last one ends the list', () => {
  const now = listOf(['4', '3'], ['2', '1'])
  assert.deepEqual(putPage(now, null, page([], false)), { pages: [page([], false)], pageParams: [null] })
  assert.deepEqual(putPage(now, null, page(['4', '1'], false)).pages, [page(['4', '1'], false)])
})
