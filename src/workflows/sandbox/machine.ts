import release from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { codeMemoryPages } from './task.ts'

/** A WebAssembly instance of QuickJS with a memory of its own, which cannot outgrow its cap. */
export type Machine = {
  quickjs: QuickJSWASMModule
  /** Whether something has needed more than there was at the beginning. */
  hasGrown(): boolean
  /** Whether that came close to all there is. */
  isFull(): boolean
}

/** Its types are those of its CommonJS form. */
const variant = release as unknown as QuickJSSyncVariant

const pageBytes = 64 * 1024
/** The imports of the module. */
const initialPages = 256
/** The memory grows by steps of up to a fifth. */
const fullBytes = codeMemoryPages * pageBytes * 0.8

export async function createMachine(wasmModule: WebAssembly.Module): Promise<Machine> {
  const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum: codeMemoryPages })
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }))
  return {
    quickjs,
    hasGrown: () => wasmMemory.buffer.byteLength > initialPages * pageBytes,
    isFull: () => wasmMemory.buffer.byteLength > fullBytes,
  }
}
