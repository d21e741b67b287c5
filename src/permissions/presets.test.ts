import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { relation, schemaFiles } from '../../test/support/schema-files.ts';
import { writeFiles } from '../../test/support/write-files.ts';
import { loadModel } from '../model/load/load-model.ts';
import { readDeclaration } from './declaration.ts';

const text = { type: 'string' };
const users = 'plugin::users-permissions.user';
const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
afterAll(() => rmSync(dir, { recursive: true }));
writeFiles(dir, {
  ...schemaFiles({
    article: {
      drafts: true,
      attributes: {
        title: text,
        author: { type: 'relation', relation: 'manyToOne', target: users },
        authors: { type: 'relation', relation: 'manyToMany', target: users },
        ownerId: { type: 'integer' },
        ownerKey: { ...text, private: true },
        team: text,
        organisation: relation('manyToOne', 'organisation'),
        paid: { type: 'boolean' },
      },
    },
    organisation: {
      attributes: { name: text, members: { type: 'relation', relation: 'oneToMany', target: users, mappedBy: 'organisation' } },
    },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': {
    kind: 'collectionType',
    collectionName: 'up_users',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: {
      username: text,
      email: { type: 'email' },
      password: { type: 'password' },
      role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role', inversedBy: 'users' },
      team: text,
      group: text,
      organisationKey: text,
      organisation: { type: 'relation', relation: 'manyToOne', target: 'api::organisation.organisation', inversedBy: 'members' },
    },
  },
});
const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
const { model } = loaded;

/** What a right is stored as, or the problems. */
function stored(action: string, right: unknown, { role = 'editor', type = 'api::article.article' } = {}): unknown {
  const result = readDeclaration({ roles: { [role]: { name: 'Role', rights: { [type]: { [action]: right } } } } }, model);
  return result.ok ? result.declaration.roles.get(role)?.rights.get(`${type}.${action}`) : result.problems.join('\n');
}

const ofCaller = (name: string) => ({ $eq: `$user.${name}` });

describe('presets', () => {
  it.each([
    ['find', { preset: 'owner', attribute: 'author' }, { author: { id: ofCaller('id') } }],
    ['create', { preset: 'owner', attribute: 'authors' }, { authors: { id: ofCaller('id') } }],
    ['delete', { preset: 'owner', attribute: 'ownerId' }, { ownerId: ofCaller('id') }],
    ['publish', { preset: 'owner', attribute: 'ownerKey' }, { ownerKey: ofCaller('documentId') }],
    ['findDraft', { preset: 'tenant', attribute: 'team' }, { team: ofCaller('team') }],
    ['update', { preset: 'tenant', attribute: 'team', user: 'group' }, { team: ofCaller('group') }],
    [
      'update',
      { preset: 'tenant', attribute: 'organisation', user: 'organisationKey' },
      { organisation: { documentId: ofCaller('organisationKey') } },
    ],
    ['findOne', { preset: 'published-only' }, { publishedAt: { $notNull: true } }],
  ])('expand in the right to %s: %j', (action, right, where) => {
    expect(stored(action, right)).toEqual({ where });
  });

  it('hold together with fields and another condition', () => {
    const right = { preset: 'owner', attribute: 'author', fields: ['title'], where: { paid: true } };
    expect(stored('update', right)).toEqual({ fields: ['title'], where: { $and: [{ author: { id: ofCaller('id') } }, { paid: true }] } });
  });

  it('are for users as well', () => {
    const right = { preset: 'tenant', attribute: 'team' };
    expect(stored('find', right, { type: users })).toEqual({ where: { team: ofCaller('team') } });
  });

  it.each([
    [
      'find',
      { preset: 'onwer', attribute: 'author' },
      'find.preset: has to be one of owner, tenant, published-only, drafts-only; did you mean owner?',
    ],
    ['find', { preset: 1 }, 'find.preset: has to be one of owner'],
    ['find', { preset: 'owner' }, 'find: "attribute" has to name an attribute of api::article.article'],
    ['find', { preset: 'owner', attribute: 'auhtor' }, '"auhtor" is not an attribute of api::article.article; did you mean author?'],
    ['find', { preset: 'owner', attribute: ['author'] }, 'find.attribute: has to be the name of an attribute'],
    ['find', { preset: 'owner', attribute: 'author', user: 'team' }, 'find.user: is an unknown key'],
    ['find', { preset: 'owner', attribute: 'organisation' }, 'owner needs a relation to users, an integer'],
    ['find', { preset: 'owner', attribute: 'id' }, 'owner needs a relation to users, an integer'],
    ['find', { preset: 'owner', attribute: 'paid' }, 'and paid is none of them'],
    ['find', { attribute: 'author' }, 'find.attribute: is an unknown key'],
    ['find', { preset: 'tenant', attribute: 'title' }, 'users have no attribute title that conditions can compare with'],
    ['find', { preset: 'tenant', attribute: 'title', user: 'password' }, 'users have no attribute password'],
    [
      'find',
      { preset: 'tenant', attribute: 'organisation' },
      'or write "where": {"organisation":{"members":{"id":{"$eq":"$user.id"}}}}, with which create needs the value in the body',
    ],
    ['find', { preset: 'tenant', attribute: 'author', user: 'id' }, 'tenant compares author with $user.id'],
    ['find', { preset: 'published-only', attribute: 'title' }, 'find.attribute: is an unknown key'],
    ['findDraft', { preset: 'published-only' }, 'published-only is about reading; it restricts find and findOne, not findDraft'],
  ])('refuse in the right to %s: %j', (action, right, says) => {
    expect(stored(action, right)).toContain(says);
  });

  it('refuse types without drafts, and visitors', () => {
    expect(stored('find', { preset: 'published-only' }, { type: 'api::organisation.organisation' })).toContain('has no drafts');
    expect(stored('find', { preset: 'published-only' }, { role: 'public' })).toEqual({ where: { publishedAt: { $notNull: true } } });
    expect(stored('create', { preset: 'owner', attribute: 'author' }, { role: 'public' })).toContain(
      'create.preset: visitors have no user, so owner would give them nothing',
    );
  });
});
