/** The days that the request log keeps a request. */
export const requestsKeptDays = 7
