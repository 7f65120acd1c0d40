/** The paths before a token. */
export const clickPath = '/t/c/'
export const openPath = '/t/o/'
