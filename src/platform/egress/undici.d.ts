/** An inner part of the client, which its types leave out. */
declare module 'undici/lib/core/symbols.js' {
  const symbols: {
    /** Where a socket of the client has the parser of its answers. */
    kParser: symbol
  }
  export default symbols
}
