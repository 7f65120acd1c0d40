declare module '../../database.ts' {
  interface Database {
    /** The emails and broadcasts that a request of a workflow execution made. */
    caused_resources: {
      team_id: string
      resource_id: string
      execution_id: string
    }
  }
}
