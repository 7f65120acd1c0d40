import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    /**
     * One row: the cluster that counts the transactions, and what is added to its numbers to make places in the feed.
     */
    feed_cluster: { single: Generated<true>; cluster: string; added: string }
  }
}
