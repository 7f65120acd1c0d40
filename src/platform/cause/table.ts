declare module '../../database.ts' {
  interface Database {
    caused_resources: CausedResourcesTable
  }
}

/** The emails and broadcasts that a request of a workflow execution made. */
export type CausedResourcesTable = {
  team_id: string
  resource_id: string
  execution_id: string
}
