import type { Db, Statement, Tx } from '../../context.ts'

/** A transaction, or anything else with a database to read. */
export type Reader = { db: Db; send?: Tx['send'] }

/** Runs a statement that reads. In a transaction it is sent at once, behind those sent before. */
export async function ask<R>({ db, send }: Reader, statement: Statement<R>): Promise<R[]> {
  return send ? send(statement) : (await db.executeQuery(statement.compile(db))).rows
}
