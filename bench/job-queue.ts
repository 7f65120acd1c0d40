/** The interface of each queue of row 6: it adds jobs in the transaction of a business row, then runs them. */
export type JobQueue = {
  name: string
  /** One unit of work that writes a row and adds `count` jobs. */
  enqueue(count: number): Promise<void>
  /** One caller's row and job, the way the product serves many callers at once. */
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
