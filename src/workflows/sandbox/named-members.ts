/**
 * The members of `input` that a source can name, and of `$` that a JSONPath can; null where that cannot be told from the text, so
 * that it may name any. Sooner null than one too few: `input` handed on, taken apart or read by a name that is computed.
 */
export function namedMembers(kind: 'code' | 'jsonpath', text: string): Set<string> | null {
  const { root, hides } = forms[kind]
  if (hides?.test(text)) return null
  const names = new Set<string>()
  for (const { index, 0: found } of text.matchAll(root)) {
    const [, written, single, double] =
      member.exec(text.slice(index + found.length, index + found.length + memberMax)) ?? []
    const name = written ?? single ?? double
    // Members of every object would give the others away.
    if (name === undefined || !/^(trigger|vars|node_.*)$/.test(name)) return null
    names.add(name)
  }
  return names
}

const forms = {
  // Escapes can write `input` in another way, and the other two reach it without its name.
  code: { root: /(?<![\p{ID_Continue}$])input(?![\p{ID_Continue}$])/gu, hides: /\\u|arguments|eval/ },
  jsonpath: { root: /\$/g, hides: null },
}

/** `.name`, `?.name`, `['name']`; as a whole, so that no longer name begins with it. */
const member =
  /^\s{0,40}(?:\??\.\s{0,40}([\w$]+)(?![\p{ID_Continue}$\\])|(?:\?\.)?\[\s{0,40}(?:'([\w-]+)'|"([\w-]+)")\s{0,40}\])/u
/** More than the longest id of a node and these blanks take, so that no name is cut into another. */
const memberMax = 200
