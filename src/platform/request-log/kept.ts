/** How long requests are kept. */
export const requestsKeptDays = 7
