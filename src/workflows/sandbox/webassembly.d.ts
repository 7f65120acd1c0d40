/** The little of it that is used here: Node's types leave it to those of browsers. */
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
