import type { Plan, Tx } from '../context.ts'

type Team = { id: string; name: string; plan: Plan; createdAt: Date }

export async function createTeam(tx: Tx, { name, plan = 'free' }: { name: string; plan?: Plan }): Promise<Team> {
  const team = { id: tx.newId(), name, plan, created_at: tx.now }
  await tx.db.insertInto('teams').values(team).execute()
  return { id: team.id, name, plan, createdAt: tx.now }
}
