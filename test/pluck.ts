/** Returns one field of each row. */
export function pluck<Rows extends readonly object[], Field extends keyof Rows[number]>(
  rows: Rows,
  field: Field,
): Rows[number][Field][] {
  return rows.map((row) => (row as Rows[number])[field])
}

/** Returns several fields of each row. */
export function pluckRows<Rows extends readonly object[]>(rows: Rows, ...fields: (keyof Rows[number])[]): unknown[][] {
  return rows.map((row) => fields.map((field) => (row as Rows[number])[field]))
}
