/** A node of a Galera cluster. It may be used while it has all rows and belongs to the majority. */
import type { Row } from './dialect.ts';

/** Milliseconds for which the state of a node counts without a new question. */
export const stateKept = 1000;

export const nodeState = "SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_status', 'wsrep_local_state_comment')";

/** The node receives rows that it lacks, gives its rows to another, or has lost the majority. */
class NodeNotSynced extends Error {
  readonly code = 'NODE_NOT_SYNCED';
}

/** `rows`: the result of `nodeState`. Throws a `NodeNotSynced` if the node may not be used. */
export function refuseUnsynced(rows: readonly Row[]): void {
  const states = rows.map(([, state]) => String(state));
  if (!(states.includes('Primary') && states.includes('Synced')))
    throw new NodeNotSynced(
      `the node of the Galera cluster cannot be used now: its state is ${states.join(', ')} instead of Primary, Synced`,
    );
}

/** The statement that sets up the session of a connection to a node. After a node has dropped a
 *  transaction that writes, the statements that follow must not be committed one by one.
 *  `isCurrent`: the transaction begins when the node has every commit from before. The server's own
 *  setting may ask for more. */
export const nodeSession = ({ isWriting, isCurrent }: { readonly isWriting: boolean; readonly isCurrent: boolean }): string =>
  `SET autocommit = ${isWriting ? 0 : 1}, SESSION wsrep_sync_wait = @@GLOBAL.wsrep_sync_wait${isCurrent ? ' | 1' : ''}`;
