/** What is stored and what is wanted, and the changes that lie between them. No database. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { StoredValue } from '../../../../model/attributes/attribute-type.ts';
import type { Schema } from '../../../../model/content-model.ts';
import { loadModel } from '../../../../model/load/load-model.ts';
import { type Entry, emptyEntry, type Link, type OwnedComponent } from '../../../entry/entry.ts';
import { deletionOf, differenceOf } from './difference.ts';
import type { Change } from './types.ts';

const project = fileURLToPath(new URL('../../../../../test/compatibility/recordings/writes/project', import.meta.url));
const loaded = loadModel(project, { customFields: {}, asStrapi: false });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
const { model } = loaded;

interface Content {
  readonly values?: Readonly<Record<string, StoredValue>>;
  readonly links?: Readonly<Record<string, readonly Link[]>>;
  readonly components?: Readonly<Record<string, readonly OwnedComponent[]>>;
}

function entry(uid: string, id: number | undefined, { values = {}, links = {}, components = {} }: Content = {}): Entry {
  const schema: Schema | undefined = model.contentTypes.get(uid) ?? model.components.get(uid);
  if (schema === undefined) throw new Error(`there is no ${uid}`);
  const made = emptyEntry(schema, id);
  for (const [name, value] of Object.entries(values)) made.values.set(name, value);
  for (const [name, list] of Object.entries(links)) made.links.set(name, list);
  for (const [name, list] of Object.entries(components)) made.components.set(name, list);
  return made;
}

const book = (id: number | undefined, content?: Content) => entry('api::book.book', id, content);
const offer = (id: number | undefined, content?: Content) => entry('shop.offer', id, content);

/** A link to the row `target`, stored as the row `id` of its table. */
const link = (uid: string, target: number, order: number | null, id?: number): Link => ({
  row: { uid, id: target, documentId: `d${target}`, locale: null, published: false },
  id,
  order,
  inverseOrder: id === undefined ? undefined : 1,
});
const writer = (target: number, order: number, id?: number) => link('api::writer.writer', target, order, id);
const file = (target: number, order: number, id?: number) => link('plugin::upload.file', target, order, id);
const component = (owned: Entry, order: number | null, id?: number): OwnedComponent => ({
  entry: owned,
  join: id === undefined ? undefined : { id, order },
});

/** One line for each change. */
function printed(change: Change): string {
  switch (change.kind) {
    case 'insert row':
      return `insert ${change.entry.schema.table} ${cellsOf(change)}`.trim();
    case 'update row':
      return `update ${change.table} ${change.id} ${cellsOf(change)}`;
    case 'delete row':
      return `delete ${change.table} ${change.id}`;
    case 'move':
      return `move ${change.table} ${change.id}: ${change.column} ${change.position}`;
    case 'insert component':
      return `${change.owner.schema.table} ${change.owner.id ?? 'new'} owns ${change.component.schema.table} ${change.component.id ?? 'new'}: ${change.field} ${change.position}`;
    case 'insert link':
    case 'insert morph link':
      return `${change.owner.schema.table} ${change.owner.id ?? 'new'} links to ${change.link.row.id}: ${change.storage.table} ${change.link.order}`;
    case 'set inverse columns':
      return `${change.table}: +${change.added.map(({ id }) => id).join()} -${change.removed.join()}`;
    case 'remove references':
      return `no references to ${change.columns.uid} ${change.id} in ${change.columns.table}`;
    case 'await link':
    case 'forget awaited links':
      throw new Error('no difference of entries');
  }
}
const cellsOf = ({ cells }: { readonly cells: readonly { readonly name: string; readonly value: unknown }[] }) =>
  cells.map(({ name, value }) => `${name}=${String(value)}`).join(' ');

const updatedAt = { name: 'updated_at', type: 'datetime', value: 9 } as const;

interface Case {
  readonly it: string;
  readonly stored: Entry | undefined;
  readonly wanted: Entry;
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    it: 'inserts a new entry with the values that are not null',
    stored: undefined,
    wanted: book(undefined, { values: { title: 'A', pages: null, stars: 3 } }),
    changes: ['insert books title=A stars=3'],
  },
  {
    it: 'changes nothing between equal entries',
    stored: book(4, { values: { title: 'A', sold: 5n }, links: { writers: [writer(7, 1, 30)] } }),
    wanted: book(4, { values: { title: 'A', sold: 5n }, links: { writers: [writer(7, 1, 30)] } }),
    changes: [],
  },
  {
    it: 'updates the values that differ, and leaves alone what is not wanted otherwise',
    stored: book(4, { values: { title: 'A', pages: 10, notes: 'x' } }),
    wanted: book(4, { values: { title: 'B', pages: null } }),
    changes: ['update books 4 title=B pages=null'],
  },
  {
    it: 'deletes links that are not wanted, moves those that stay, inserts new ones',
    stored: book(4, { links: { writers: [writer(7, 1, 30), writer(8, 2, 31), writer(9, 3, 32)] } }),
    wanted: book(4, { links: { writers: [writer(9, 1, 32), writer(8, 2, 31), writer(6, 3)] } }),
    changes: ['delete books_writers_lnk 30', 'move books_writers_lnk 32: writer_ord 1', 'books 4 links to 6: books_writers_lnk 3'],
  },
  {
    it: 'keeps the numbers of links whose order is the same, gaps included',
    stored: book(4, { links: { writers: [writer(7, 2, 30), writer(8, 5, 31)] } }),
    wanted: book(4, { links: { writers: [writer(7, 1, 30), writer(8, 2, 31)] } }),
    changes: [],
  },
  {
    it: 'attaches and detaches files',
    stored: book(4, { links: { cover: [file(1, 1, 50)], files: [] } }),
    wanted: book(4, { links: { cover: [], files: [file(1, 1), file(2, 2)] } }),
    changes: ['delete files_related_mph 50', 'books 4 links to 1: files_related_mph 1', 'books 4 links to 2: files_related_mph 2'],
  },
  {
    it: 'inserts components before their join rows can name them, with what they own',
    stored: book(4, { components: { offers: [] } }),
    wanted: book(4, {
      components: {
        offers: [
          component(
            offer(undefined, {
              values: { label: 'L' },
              components: { discount: [component(entry('shop.discount', undefined, { values: { percent: 5 } }), null)] },
            }),
            1,
          ),
        ],
      },
    }),
    changes: [
      'books 4 owns components_shop_offers new: offers 1',
      'insert components_shop_offers label=L',
      'components_shop_offers new owns components_shop_discounts new: discount null',
      'insert components_shop_discounts percent=5',
    ],
  },
  {
    it: 'changes a component in its row, and moves it',
    stored: book(4, {
      components: {
        offers: [component(offer(1, { values: { label: 'a' } }), 1, 20), component(offer(2, { values: { label: 'b' } }), 2, 21)],
      },
    }),
    wanted: book(4, {
      components: {
        offers: [component(offer(2, { values: { label: 'c' } }), 2, 21), component(offer(1, { values: { label: 'a' } }), 1, 20)],
      },
    }),
    changes: ['move books_cmps 21: order 1', 'update components_shop_offers 2 label=c', 'move books_cmps 20: order 2'],
  },
  {
    it: 'deletes a component with what it owns',
    stored: book(4, {
      components: {
        offers: [component(offer(1, { components: { discount: [component(entry('shop.discount', 9), null, 70)] } }), 1, 20)],
      },
    }),
    wanted: book(4, { components: { offers: [] } }),
    changes: ['delete books_cmps 20', 'delete components_shop_offers 1', 'delete components_shop_discounts 9'],
  },
];

describe('differenceOf', () => {
  it.each(cases)('$it', ({ stored, wanted, changes }) => {
    expect(differenceOf({ wanted, current: stored, system: [] }, model).map(printed)).toEqual(changes);
  });

  it('writes the columns of the server even where nothing else differs', () => {
    const same = book(4, { values: { title: 'A' } });
    expect(differenceOf({ wanted: same, current: same, system: [updatedAt] }, model).map(printed)).toEqual(['update books 4 updated_at=9']);
  });
});

describe('deletionOf', () => {
  it('deletes a row with its components, and what names it by type and id', () => {
    const stored = book(4, { components: { sections: [component(entry('shop.picture', 3), 1, 20)] } });
    expect(deletionOf([stored], model).map(printed)).toEqual([
      'delete books 4',
      'no references to api::book.book 4 in files_related_mph',
      'delete components_shop_pictures 3',
      'no references to shop.picture 3 in files_related_mph',
    ]);
  });

  it('changes nothing for an entry that was never stored', () => {
    expect(deletionOf([book(undefined)], model)).toEqual([]);
  });
});
