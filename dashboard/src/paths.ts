/** The table of `pages.ts` adds its paths here, so that links are typed and this file imports no page. */
// biome-ignore lint/suspicious/noEmptyInterface: pages.ts adds the paths by declaration merging
export interface KnownPages {}

/** The path of a page as the table has it, such as `/emails/:id`. */
export type PagePattern = KnownPages extends { path: infer Path extends string } ? Path : never

/** The path of a page under `/app` with its parameters filled in, such as `/emails/42`. */
export type PagePath = Filled<PagePattern>

type Filled<Path extends string> = Path extends `${infer Head}/:${string}/${infer Tail}`
  ? `${Head}/${string}/${Filled<Tail>}`
  : Path extends `${infer Head}/:${string}`
    ? `${Head}/${string}`
    : Path extends `:${string}`
      ? string
      : Path

/** A noun of the API whose list has a page of its path, such as `sms/senders`. */
export type PageNoun = PagePath extends infer Path ? (Path extends `/${infer Noun}` ? Noun : never) : never
