/** A command was called wrongly. The message says what is wrong; the command's help follows it. */
export class UsageError extends Error {}
