import type pg from 'pg'

/** The COPY interface of `pg`, which its types leave out. */
type CopyConnection = { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** Runs `copy … from stdin` with these data, sent in one piece. */
export function copyIn(client: pg.ClientBase, text: string, data: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const copy = {
    submit: (connection: pg.Connection) => connection.query(text),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(data)
      connection.endCopyFrom()
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
    handleError: reject,
  }
  client.query(copy)
  return promise
}
