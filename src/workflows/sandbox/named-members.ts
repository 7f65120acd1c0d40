/**
 * Finds the members of `input` that a source names, or of `$` that a JSONPath names. Returns null if it may read any:
 * if `input` is passed on, destructured, or read by a computed name.
 */
export function namedMembers(kind: 'code' | 'jsonpath', text: string): Set<string> | null {
  const { root, hides } = forms[kind]
  if (hides?.test(text)) return null
  const names = new Set<string>()
  for (const { index, 0: found } of text.matchAll(root)) {
    const [, written, single, double] =
      member.exec(text.slice(index + found.length, index + found.length + memberMax)) ?? []
    const name = written ?? single ?? double
    // A member that every object has, such as `constructor`, leads to the others.
    if (name === undefined || !/^(trigger|vars|node_.*)$/.test(name)) return null
    names.add(name)
  }
  return names
}

const forms = {
  // Escapes can spell `input` in another way, and `arguments` and `eval` reach it without its name.
  code: { root: /(?<![\p{ID_Continue}$])input(?![\p{ID_Continue}$])/gu, hides: /\\u|arguments|eval/ },
  jsonpath: { root: /\$/g, hides: null },
}

/** `.name`, `?.name` or `['name']`, to the end of the name. */
const member =
  /^\s{0,40}(?:\??\.\s{0,40}([\w$]+)(?![\p{ID_Continue}$\\])|(?:\?\.)?\[\s{0,40}(?:'([\w-]+)'|"([\w-]+)")\s{0,40}\])/u
/** More than the longest id of a node with these blanks, so that no name is cut into another. */
const memberMax = 200
