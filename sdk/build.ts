import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Compiles the package twice, for `import` and for `require`. `npm pack` runs it. */
const folder = fileURLToPath(new URL('.', import.meta.url))
rmSync(`${folder}dist`, { recursive: true, force: true })
for (const [name, module, type] of [
  ['esm', 'esnext', 'module'],
  ['cjs', 'commonjs', 'commonjs'],
]) {
  const options = ['-p', folder, '--noEmit', 'false', '--outDir', `dist/${name}`, '--module', module!]
  execFileSync('tsc', options, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  writeFileSync(`${folder}dist/${name}/package.json`, `${JSON.stringify({ type })}\n`)
}
