/** A reply other than 250. `message` begins with an enhanced status code (RFC 3463). */
export class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}
