/**
 * All tables. The folder that declares a table adds it here in its `table.ts`, and alone writes it; every folder may
 * read it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the folders add the tables.
export interface Database {}
