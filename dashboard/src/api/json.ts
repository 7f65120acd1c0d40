/** A page of a list. */
export type Page<Row> = { data: Row[]; cursor: string | null; hasMore: boolean; total?: number }
