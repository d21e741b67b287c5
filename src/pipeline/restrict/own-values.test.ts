import { describe, expect, it } from 'vitest';
import { printPlannedWrite } from '../../../test/support/stages/print-write.ts';
import { outcome, unindented } from '../../../test/support/stages/read-stages.ts';
import { rightsOf } from '../../../test/support/stages/role-rights.ts';
import { WriteStages } from '../../../test/support/stages/write-stages.ts';
import { userUid } from '../../model/built-in-types.ts';

interface Case {
  readonly it: string;
  readonly where: object;
  readonly fields?: readonly string[];
  readonly request?: string;
  readonly data?: object;
  /** The body of the new document. */
  readonly gives: string;
}

const user = { id: '7', documentId: 'user7', username: 'ada', rank: '3', group: 'calm' };
const mine = { editor: { id: { $eq: '$user.id' } } };

const cases: readonly Case[] = [
  { it: 'fills in a relation to the caller, whatever the caller may find', where: mine, gives: 'editor set [row 7]' },
  { it: 'finds it by documentId', where: { editor: { documentId: '$user.documentId' } }, gives: 'editor set [user7]' },
  { it: 'finds it in groups that must hold', where: { $and: [{ name: { $ne: 'x' } }, mine] }, gives: 'editor set [row 7]' },
  {
    it: 'fills in what the caller may not write',
    where: mine,
    fields: ['name'],
    data: { name: 'a' },
    gives: 'editor set [row 7]\nname = "a"',
  },
  { it: 'fills in a text', where: { name: '$user.username' }, gives: 'name = "ada"' },
  { it: 'fills in nothing that is compared with a constant', where: { name: { $eq: 'ada' } }, gives: '' },
  { it: 'fills in nothing where several values are permitted', where: { name: { $in: ['$user.username', 'x'] } }, gives: '' },
  { it: 'fills in nothing of an alternative', where: { $or: [mine, { name: 'x' }] }, gives: '' },
  { it: 'fills in nothing of a condition that must not hold', where: { $not: mine }, gives: '' },
  { it: 'fills in nothing without a value of the caller', where: { name: '$user.motto' }, gives: '' },
  { it: 'fills in no id', where: { documentId: { $eq: '$user.documentId' } }, gives: '' },
  { it: 'leaves a null', where: { name: '$user.username' }, data: { name: null }, gives: 'name = null' },
  {
    it: 'fills in a number, and no value that the attribute cannot have',
    request: 'POST articles',
    where: { rating: '$user.rank', mood: '$user.group', views: '$user.id', price: '$user.username' },
    gives: 'rating = 3\nmood = "calm"\nviews = 7n',
  },
  {
    it: 'fills in nothing in an update of a document without locales',
    request: 'PATCH sections/doc1',
    where: mine,
    data: { name: 'a' },
    gives: 'name = "a"',
  },
];

describe('own values', () => {
  const stages = new WriteStages();

  it.each(cases)('$it', ({ request = 'POST sections', where, fields, data = {}, gives }) => {
    const [method, path = ''] = request.split(' ');
    const action = `${path.split('/')[0]?.slice(0, -1)}.${method === 'POST' ? 'create' : 'update'}`;
    const rights = rightsOf({ may: [action], rules: { [action]: { where, ...(fields === undefined ? {} : { fields }) } }, user });
    const plan = outcome(() => stages.planWrite({ request, body: { data }, rights }), printPlannedWrite).replaceAll(`${userUid} `, '');
    expect(plan.split('\n').slice(1).sort().join('\n')).toBe(unindented(gives).split('\n').sort().join('\n'));
  });

  it('fills in links that change other documents only within the right to update these', () => {
    const planned = (fields: readonly string[]) => {
      const rules = { 'tag.create': { where: { articles: { id: '$user.id' } } }, 'article.update': { fields } };
      const rights = rightsOf({ may: ['tag.create', 'article.update'], rules, user });
      return outcome(() => stages.planWrite({ request: 'POST tags', body: { data: {} }, rights }), printPlannedWrite)
        .split('\n')
        .slice(1);
    };
    expect(planned(['tags'])).toEqual(['articles set [api::article.article row 7]']);
    expect(planned(['title'])).toEqual([]);
  });
});
