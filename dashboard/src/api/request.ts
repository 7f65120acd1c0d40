import { type CallOptions, call, withQuery } from './call.ts'
import type { Deletes, Gets, Patches, Posts } from './endpoints.ts'

/** The fields of path and query of an endpoint, and its body, in one object. */
export type InputOf<E> = E extends { input: infer Fields }
  ? Given<Fields> & ('body' extends keyof E ? Chosen<Pick<E, 'body'>> : unknown)
  : never
/** A field of an address is a text, which the server judges. */
type Given<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends string | undefined
    ? string | undefined
    : Fields[Name] | OrText<Fields[Name]>
}
type OrText<Field> = Exclude<Field, undefined> extends number | boolean ? string : never
/** A choice in a form is a text, which the server judges. */
type Chosen<Body> = Body extends string
  ? string
  : Body extends object
    ? { [Name in keyof Body]: Chosen<Body[Name]> }
    : Body
type Arguments<E> =
  object extends InputOf<E> ? [input?: InputOf<E>, options?: CallOptions] : [input: InputOf<E>, options?: CallOptions]

/** The answer of `GET path`, and a row of its list. */
export type Answer<P extends keyof Gets> = Gets[P]['answer']
export type RowOf<P extends keyof Gets> = Gets[P]['answer'] extends { data: (infer Row)[] }
  ? Row
  : Gets[P]['answer'] extends (infer Item)[]
    ? Item
    : never

export function get<P extends keyof Gets>(
  path: P,
  ...[input, options]: Arguments<Gets[P]>
): Promise<Gets[P]['answer']> {
  return ask('GET', path, input, options)
}

export function post<P extends keyof Posts>(
  path: P,
  ...[input, options]: Arguments<Posts[P]>
): Promise<Posts[P]['answer']> {
  return ask('POST', path, input, options)
}

export function patch<P extends keyof Patches>(
  path: P,
  ...[input, options]: Arguments<Patches[P]>
): Promise<Patches[P]['answer']> {
  return ask('PATCH', path, input, options)
}

export function remove<P extends keyof Deletes>(
  path: P,
  ...[input, options]: Arguments<Deletes[P]>
): Promise<Deletes[P]['answer']> {
  return ask('DELETE', path, input, options)
}

/** The same for one of several paths, whose fields the compiler cannot tell. */
export function getAny<P extends keyof Gets>(path: P, fields: Fields, options: CallOptions): Promise<Answer<P>> {
  return ask('GET', path, fields, options)
}

/** Reads an answer in another form than JSON, such as `text/csv`, as its text. */
export function getText<P extends keyof Gets>(
  path: P,
  input: InputOf<Gets[P]>,
  options: CallOptions & { accept: string },
): Promise<string> {
  return ask('GET', path, input, options)
}

/** The address of a file that a link leads to. */
export function hrefOf<P extends keyof Gets>(path: P, input: InputOf<Gets[P]>): string {
  return addressOf(path, input as Fields)
}

/** The values of fields in a path or a query. */
export type Fields = Record<string, string | number | boolean | undefined>

/** Makes a request whose path is a pattern. For `api/` only, since its answer is what the caller says. */
export function ask<T>(method: string, path: string, input: unknown, options?: CallOptions): Promise<T> {
  const { body, ...fields } = (input ?? {}) as Fields & { body?: unknown }
  return call<T>(method, addressOf(path, fields), body, options)
}

function addressOf(pattern: string, all: Fields): string {
  const { path, fields } = splitFields(pattern, all)
  return withQuery(path, fields)
}

/** Puts the fields that a path names into it, and returns the others, which belong into the query. */
export function splitFields(pattern: string, all: Fields): { path: string; fields: Fields } {
  const fields = { ...all }
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete fields[name]
    return encodeURIComponent(String(all[name]))
  })
  return { path, fields }
}
