import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { clientModules } from './modules.ts'
import { installIn } from './place.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-package-'))
after(() => rmSync(folder, { recursive: true, force: true }))
installIn(folder)
const [path] = globSync('*.tgz', { cwd: folder })
const tarball = new Uint8Array(readFileSync(join(folder, path!)))

/** Loads a package that is installed outside the checkout. */
function load(name: string) {
  return import(pathToFileURL(createRequire(join(clientModules, 'x.js')).resolve(name)).href)
}

test('publint finds nothing in the packed SDK', async () => {
  const { publint } = await load('publint')
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, level: 'suggestion' })
  assert.deepEqual(messages, [])
})

test('are-the-types-wrong finds nothing in the packed SDK', async () => {
  const { checkPackage, createPackageFromTarballData } = await load('@arethetypeswrong/core')
  const { types, problems } = await checkPackage(createPackageFromTarballData(tarball))
  assert.deepEqual([types, problems], [{ kind: 'included' }, []])
})
