/** bcrypt runs in Node's pool of four threads, which files and DNS look-ups use too. So few
 *  passwords are hashed at once, new ones separately, and callers alternate. */
import { ApiError } from '../errors/api-error.ts';
import { FairTurns } from '../fair-turns.ts';

const busy = () => ApiError.of('password.busy');

/** New passwords: hashing one takes fifty milliseconds, or longer with more rounds. */
export const hashingQueue = new FairTurns({ atOnce: 1, maxOfCaller: 20, max: 200, busy });
/** Passwords of sign-ins, which are also limited by IP address. */
export const comparingQueue = new FairTurns({ atOnce: 2, maxOfCaller: 200, max: 200, busy });
