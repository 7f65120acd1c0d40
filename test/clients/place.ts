import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientModules } from './modules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Puts the SDK, as `npm pack` makes it, and other packages where programs in the folder find them. */
export function installIn(folder: string, packages: string[] = []): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@posthorn'), { recursive: true })
  execFileSync('npm', ['pack', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: join(root, 'sdk'),
    stdio: 'pipe',
  })
  const [tarball] = globSync('*.tgz', { cwd: folder })
  execFileSync('tar', ['-xf', tarball!], { cwd: folder })
  symlinkSync(join(folder, 'package'), join(modules, '@posthorn', 'sdk'))
  for (const name of packages) {
    const place = [join(clientModules, name), join(root, 'node_modules', name)]
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(place.find((path) => globSync(path).length > 0)!, join(modules, name))
  }
}
