import { handlingOf, type Route } from '../http/routes/routes.ts';
import type { Treatment } from './findings.ts';

/** What happens to the requests of a route. */
export const treatmentOf = (route: Route): Treatment => handlingOf(route);
