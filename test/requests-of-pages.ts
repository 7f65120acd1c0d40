import { fileURLToPath } from 'node:url'
import * as ast from 'typescript/unstable/ast'
import { API, type Checker, type Project, type Type } from 'typescript/unstable/sync'

/** Functions whose first argument is a path of the API, and the methods of their requests. */
const methods: Readonly<Record<string, readonly string[]>> = {
  ...named(['get', 'getText', 'getAny', 'hrefOf', 'EventSource'], ['GET']),
  ...named(['useOne', 'oneOf', 'oneById'], ['GET']),
  ...named(['useList', 'listOf', 'prefetchList', 'useAll', 'allOf', 'readAll', 'useOptions'], ['GET']),
  ...named(['post'], ['POST']),
  ...named(['patch'], ['PATCH']),
  ...named(['remove', 'removeShown'], ['DELETE']),
  ...named(['changeLatest'], ['GET', 'PATCH']),
}

/** Functions and components with a field `noun`, and the methods of their requests for one thing of the noun. */
const methodsOfNoun: Readonly<Record<string, readonly string[]>> = {
  DeleteShown: ['DELETE'],
  useSharedForm: ['GET', 'PATCH'],
}

function named(names: readonly string[], requested: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, requested]))
}

/** Files in these folders serve all nouns, so only their literal paths count. Their callers name the nouns. */
const generic = /\/dashboard\/src\/(api|ui|typing)\//

/** An expression whose type lists paths or nouns, and the methods of the requests for them. */
type Naming = { at: ast.Node; methods: readonly string[]; isNoun: boolean }

/**
 * Returns the requests of the dashboard, such as `GET /v1/emails`, as the compiler knows them: a path that is put
 * together counts as each path that its type allows.
 */
export function requestsOfPages(): Set<string> {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}dashboard/tsconfig.json`] }).getProjects()[0]!
    return new Set(sourcesOf(project).flatMap((file) => requestsIn(file, project.checker)))
  } finally {
    api.close()
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))

function sourcesOf({ program }: Project): ast.SourceFile[] {
  return program
    .getSourceFileNames()
    .filter((name) => name.includes('/dashboard/src/') && !name.endsWith('.test.ts'))
    .map((name) => program.getSourceFile(name)!)
}

function requestsIn(file: ast.SourceFile, checker: Checker): string[] {
  const namings = namingsIn(file)
  const types = checker.getTypeAtLocation(namings.map(({ at }) => at))
  return namings.flatMap(({ at, methods, isNoun }, index) => {
    const isGeneric = generic.test(file.fileName)
    const texts = ast.isStringLiteral(at) ? [at.text] : textsOf(types[index], checker, isGeneric)
    return texts.flatMap((text) => methods.map((method) => `${method} ${isNoun ? `/v1/${text}/:id` : text}`))
  })
}

function namingsIn(file: ast.SourceFile): Naming[] {
  const found: Naming[] = []
  const visit = (node: ast.Node) => {
    found.push(...namingsOf(node))
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

function namingsOf(node: ast.Node): Naming[] {
  if (ast.isCallExpression(node) || ast.isNewExpression(node)) {
    const name = ast.isIdentifier(node.expression) ? node.expression.text : ''
    const first = node.arguments?.[0]
    if (first && Object.hasOwn(methods, name)) return [{ at: first, methods: methods[name]!, isNoun: false }]
    if (first && ast.isObjectLiteralExpression(first)) return first.properties.flatMap((field) => nounAt(field, name))
  }
  if (ast.isJsxOpeningElement(node) || ast.isJsxSelfClosingElement(node)) {
    const name = ast.isIdentifier(node.tagName) ? node.tagName.text : ''
    return node.attributes.properties.flatMap((attribute) => nounAt(attribute, name))
  }
  return []
}

/** The noun that a field or an attribute gives to one of `methodsOfNoun`. */
function nounAt(field: ast.Node, taker: string): Naming[] {
  if (!Object.hasOwn(methodsOfNoun, taker)) return []
  if (!ast.isPropertyAssignment(field) && !ast.isJsxAttribute(field)) return []
  if (!ast.isIdentifier(field.name) || field.name.text !== 'noun' || !field.initializer) return []
  const { initializer } = field
  const at = ast.isJsxExpression(initializer) ? initializer.expression : initializer
  return at ? [{ at, methods: methodsOfNoun[taker]!, isNoun: true }] : []
}

/**
 * The texts that a type allows, or its bound. None where only a path that is written out counts, and this is another.
 */
function textsOf(type: Type | undefined, checker: Checker, isWrittenOut: boolean): string[] {
  if (type?.isStringLiteralType()) return [type.value]
  if (!type || isWrittenOut) return []
  if (type.isUnionType()) return type.getTypes().flatMap((one) => textsOf(one, checker, false))
  const bound = checker.getBaseConstraintOfType(type)
  return bound && bound !== type ? textsOf(bound, checker, false) : []
}
