/** What every contender of row 6 does: jobs made in a transaction together with a row of somebody's business, then run. */
export type JobQueue = {
  name: string
  /** One unit of work that writes a row and adds `count` jobs. */
  enqueue(count: number): Promise<void>
  /** One caller's row and job, the way the product at hand serves many callers at a time. */
  enqueueOne(): Promise<void>
  /** Runs all of the `count` jobs that wait; they do nothing. */
  process(count: number): Promise<void>
  clear(): Promise<void>
  close(): Promise<void>
}

export const business = {
  create: 'create table orders (id bigint generated always as identity primary key, note text not null)',
  insert: { name: 'insert-order', text: 'insert into orders (note) values ($1)', values: ['paid'] },
}
