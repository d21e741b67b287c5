/** The users of a role are shown to no caller, as in Strapi, by any path. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, profiles } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles({
  team: {
    attributes: {
      name: { type: 'string' },
      role: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.role' },
      any: { type: 'relation', relation: 'morphToOne' },
    },
  },
});
describe.each(anyEngine)('%s: users of a role', (engine) => {
  describe.each(profiles)('in profile %s', (profile) => {
    const served = useProject(engine, { files, users: [ada], env: { LECTERN_PROFILE: profile } });
    beforeAll(async () => {
      const [[role] = []] = await served.query("SELECT id FROM up_roles WHERE type = 'authenticated'");
      await served.write('POST', '/api/teams', { name: 'a', role, any: { __type: 'plugin::users-permissions.role', id: role } });
    });

    it.each(words`
      /api/users?populate=role.users /api/users?populate[0]=role&populate[1]=role.users.role
      /api/users?populate[role][populate]=* /api/users?populate[role][populate][users][count]=true
      /api/users?populate[role][populate][users][fields][0]=username /api/teams?populate[role][populate][0]=users
      /api/teams?populate[any][on][plugin::users-permissions.role][populate][users]=true
    `)('are not shown by %s', async (path) => {
      const response = await served.ask('full', 'GET', path);
      expect(response.status).toBe(200);
      expect(response.text).toContain('"type":"authenticated"');
      expect(response.text).not.toContain('"users"');
    });

    it.each(words`
      /api/users?filters[role][users][id][$notNull]=true /api/users?sort=role.users.username
      /api/users?populate[role][filters][users][username]=ada /api/users?populate[role][sort]=users.username
      /api/users/count?filters[role][users][username]=ada /api/teams?filters[role][users][username]=ada
    `)('cannot be asked for by %s', async (path) => {
      const response = await served.ask('full', 'GET', path);
      expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining('Invalid key users') });
    });
  });
});
