import pg from 'pg'

/*
 * This file uses the inside of `pg` 8, whose types leave it out: the stream of a connection, and how a query writes its
 * messages and reads their answers.
 */

type Stream = { destroy(): void; cork(): void; uncork(): void; writableCorked: number }
type Message = { text: string }
type DriverConnection = pg.Connection & { stream: Stream; submittedNamedStatements: Record<string, string> }
type DriverQuery = {
  name: string | undefined
  submit(connection: DriverConnection): Error | null
  handleCommandComplete(message: Message, connection: DriverConnection): void
  handleError(error: Error, connection: DriverConnection): void
}
type Callback = (error: Error | undefined, result: pg.QueryResult) => void
const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => DriverQuery

function streamOf(client: pg.PoolClient): Stream {
  return (client as unknown as { connection: DriverConnection }).connection.stream
}

/** Closes the connection without a word to the server. Every statement that waits for its answer fails. */
export function cutConnection(client: pg.PoolClient): void {
  streamOf(client).destroy()
}

/** Collects what is written to the connection in this turn of the event loop, and writes it together. */
export function inOneWrite(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * The first statement of a transaction, with BEGIN before it and one Sync after both, as JDBC sends it. If BEGIN fails,
 * the server skips the statement, so it can never run outside the transaction.
 *
 * It relies on three things in `pg`. `submit` writes all messages of a statement. The first CommandComplete is the
 * answer to BEGIN. The client notes a statement as prepared under `name` when the answer to a Parse comes.
 */
class FirstQuery extends Query {
  #hasBegun = false
  #ownName: string | undefined

  override submit(connection: DriverConnection): Error | null {
    connection.parse({ name: '', text: 'begin', types: [] }, true)
    connection.bind({}, true)
    connection.execute(null, true)
    const refusal = super.submit(connection)
    // The client notes which name was parsed. The first answer to a Parse is the one to BEGIN, which has no name.
    this.#ownName = this.name
    this.name = undefined
    return refusal
  }

  override handleCommandComplete(message: Message, connection: DriverConnection): void {
    if (this.#hasBegun) super.handleCommandComplete(message, connection)
    else this.name = this.#ownName
    this.#hasBegun = true
  }

  override handleError(error: Error, connection: DriverConnection): void {
    // The statement was skipped with its Parse.
    if (!this.#hasBegun) delete connection.submittedNamedStatements[this.#ownName ?? '']
    super.handleError(error, connection)
  }
}

/** Begins a transaction and runs its first statement, in one write and one round trip. */
export function queryWithBegin(client: pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    // A simple query may not follow messages without a Sync.
    const extended = { ...config, queryMode: 'extended' }
    const query = new FirstQuery(extended, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(query as unknown as pg.Submittable)
  })
}
