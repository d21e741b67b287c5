/** The replicas of a PostgreSQL server (`database.replicaUrls`). */
import type { ClientConfig } from 'pg';
import type { Database } from './database.ts';
import { PostgresPositions } from './postgres-positions.ts';
import { PostgresReplica } from './postgres-replica.ts';
import { beyondAll, type ReplicaState, type Replicas } from './replicas.ts';

export interface PostgresReplicasOptions {
  readonly primary: ClientConfig;
  readonly replicas: readonly { readonly name: string; readonly connection: ClientConfig; readonly database: Database }[];
  readonly maxLag: number;
  readonly changed: (state: ReplicaState) => void;
}

export function openPostgresReplicas({ primary, replicas, maxLag, changed }: PostgresReplicasOptions): Replicas {
  const positions = new PostgresPositions(primary, maxLag);
  const opened = replicas.map((each, index) => new PostgresReplica({ ...each, number: index + 1, positions, maxLag, changed }));
  let turn = 0;
  return {
    choose(after, loadOf) {
      turn = (turn + 1) % opened.length;
      let best: PostgresReplica | undefined;
      // Replicas with equal loads take turns.
      for (const each of [...opened.slice(turn), ...opened.slice(0, turn)])
        if (each.has(after) && (best === undefined || loadOf(each) < loadOf(best))) best = each;
      return best;
    },
    position: async () => (await positions.ask())?.inserted ?? beyondAll,
    states: () => opened.map((each) => each.state()),
    asked: Promise.all(opened.map(({ asked }) => asked)).then(() => undefined),
    close: async () => void (await Promise.all([positions.close(), ...opened.map((each) => each.close())])),
  };
}
