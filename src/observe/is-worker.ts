import cluster from 'node:cluster';

/** Set in the environment of the processes of `workers`. Others may run the server in a cluster of their own, such as PM2, and do not answer its messages. */
export const workerMark = 'lecternWorker';

export const isWorker = (): boolean => cluster.isWorker && process.env[workerMark] !== undefined;
