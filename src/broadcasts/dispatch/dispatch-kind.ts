/** The job that takes one broadcast through its life, from scheduled to sent; its key is the broadcast's id. */
export const dispatchKind = 'broadcasts.dispatch'
