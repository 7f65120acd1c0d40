import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'

export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  teamId: string | undefined,
) => Socket

/** A request that waits for a connection. */
export type Waiting = Dispatcher.DispatchHandler & {
  /** The team that the request belongs to. */
  teamId: string | undefined
  /** Called once the connection is made or has failed. Returns false if the request no longer waits. */
  onTurn(connection: Connection): boolean
}

/**
 * One connection with one request at a time, so that an attempt to connect ends with its request. The client would
 * otherwise continue the attempt, and connect for requests in its queue that have ended.
 */
export class Connection extends Client {
  #attempt: Socket | undefined
  #teamId: string | undefined

  constructor(origin: URL, options: Client.Options, connect: Connect) {
    super(origin, {
      ...options,
      pipelining: 1,
      connect: (target, callback) => {
        const done: typeof callback = (...result) => {
          this.#attempt = undefined
          callback(...result)
        }
        this.#attempt = connect(target, done, this.#teamId)
      },
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const waiting = handler as Waiting
    this.#teamId = waiting.teamId
    // True: the next request in the queue may come.
    return waiting.onTurn(this) ? super.dispatch(options, handler) : true
  }

  /** Ends a running attempt to connect. A running lookup of the name is not ended. */
  cut(reason: Error): void {
    this.#attempt?.destroy(reason)
  }
}
