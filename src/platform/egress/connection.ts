import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'

export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  teamId: string | undefined,
) => Socket

/** A request that waits for a connection. */
export type Waiting = Dispatcher.DispatchHandler & {
  /** Whose request it is. */
  teamId: string | undefined
  /** Called when it has one, made or not. False: nobody waits any more. */
  onTurn(connection: Connection): boolean
}

/**
 * One connection with one request at a time, so that an attempt to make it can end with the request it is made for. The
 * client by itself would go on with it, and make one for requests that have ended in the pool's line.
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
    // True: the next one in the line may come.
    return waiting.onTurn(this) ? super.dispatch(options, handler) : true
  }

  /** Ends an attempt to connect, where one is under way; a lookup of the name is left to itself. */
  cut(reason: Error): void {
    this.#attempt?.destroy(reason)
  }
}
