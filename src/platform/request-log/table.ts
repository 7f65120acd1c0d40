declare module '../../database.ts' {
  interface Database {
    /** The requests of a team that one process answered in one second, 500 at most. */
    request_pages: {
      team_id: string
      /** The second of the requests' ids, which says the partition. */
      second: Date
      /** The id of the first request. */
      id: string
      /** `marksOf` the requests; null for a page that has to be read. */
      marks: Buffer | null
      /** The JSON of an array of `Entry`. */
      entries: string
    }
  }
}
