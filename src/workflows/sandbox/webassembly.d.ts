/** The part of WebAssembly that is used here. Only the types of browsers declare it. */
declare namespace WebAssembly {
  class Module {
    private readonly ofModule: unknown
  }
  class Memory {
    constructor(size: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
