/** The command was called wrongly; the message says how it is called. */
export class UsageError extends Error {}
