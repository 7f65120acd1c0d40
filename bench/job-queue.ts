/** The interface of each queue of row 6: it adds jobs in the transaction of a business row, then runs them. */
export type JobQueue = {
  name: string
  /** Runs one unit of work that writes a row and adds `count` jobs. */
  enqueue(count: number): Promise<void>
  /** Adds one caller's row and job, in the way of the product with many concurrent callers. */
  enqueueOne(): Promise<void>
  /** Runs all `count` waiting jobs, which do nothing. */
  process(count: number): Promise<void>
  clear(): Promise<void>
  close(): Promise<void>
}

export const business = {
  create: 'create table orders (id bigint generated always as identity primary key, note text not null)',
  insert: { name: 'insert-order', text: 'insert into orders (note) values ($1)', values: ['paid'] },
}
