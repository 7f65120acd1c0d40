type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
type Ours<Fields> = { [Name in keyof Fields as Name extends string ? Camel<Name> : never]: Fields[Name] }

/** Returns fields under our names: `first_name` as `firstName`. */
export function ourFields<Fields extends object>(fields: Fields): Ours<Fields> {
  const ours = Object.entries(fields).map(([name, value]) => [ourName(name), value])
  return Object.fromEntries(ours) as Ours<Fields>
}

/** Returns these fields of a row of ours under Resend's names: `firstName` as `first_name`. */
export function theirFields<Row extends object>(row: Row, ...names: (keyof Row & string)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [theirName(name), row[name]]))
}

function ourName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function theirName(name: string): string {
  return name.replace(/[a-z][A-Z]/g, ([low, high]) => `${low}_${high!.toLowerCase()}`)
}
