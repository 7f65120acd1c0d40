import release from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { codeMemoryPages } from './task.ts'

/** A WebAssembly instance of QuickJS. Its memory is its own and has a limit. */
export type Machine = {
  quickjs: QuickJSWASMModule
  /** True if the memory is larger than at the beginning. */
  hasGrown(): boolean
  /** True if the memory is near its limit. */
  isFull(): boolean
}

/** The package declares only the types of its CommonJS form. */
const variant = release as unknown as QuickJSSyncVariant

const pageBytes = 64 * 1024
/** The memory that the module expects at its start. */
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
