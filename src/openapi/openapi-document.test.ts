/** The size of a document grows with the model, and not with the number of ways through it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relation, schemaFiles } from '../../test/support/schema-files.ts';
import { writeFiles } from '../../test/support/write-files.ts';
import { loadConfig } from '../config/load-config.ts';
import { isOfHistory, routesOf } from '../http/routes/routes.ts';
import { loadModel } from '../model/load/load-model.ts';
import { fullRights, rightsTo } from '../rights/rights.ts';
import { openApiDocument } from './openapi-document.ts';

/** Types in a circle, in which each refers to ten others. */
function filesOf(count: number) {
  const types = Array.from({ length: count }, (_, index) => {
    const to = (step: number) => `type${(index + step) % count}`;
    const relations = Array.from({ length: 10 }, (_unused, step) => [`to${step}`, relation('manyToMany', to(step + 1))] as const);
    const texts = Array.from({ length: 10 }, (_unused, number) => [`text${number}`, { type: 'string' }] as const);
    return [
      `type${index}`,
      { drafts: true as const, localized: true as const, attributes: Object.fromEntries([...texts, ...relations]) },
    ] as const;
  });
  return schemaFiles(Object.fromEntries(types));
}

describe('the document of many types', () => {
  const folders: string[] = [];
  const partsOf = (count: number) => {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-openapi-'));
    folders.push(dir);
    writeFiles(dir, filesOf(count));
    const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
    const config = loadConfig({ dir, environment: {}, overrides: {} });
    if (!loaded.ok || !config.ok) throw new Error('the files have mistakes');
    return {
      config: config.config,
      model: loaded.model,
      routes: routesOf(loaded.model).filter((route) => !isOfHistory(route)),
      isPublic: false,
    };
  };
  let few: ReturnType<typeof partsOf>;
  let many: ReturnType<typeof partsOf>;
  beforeAll(() => {
    few = partsOf(30);
    many = partsOf(300);
  });
  afterAll(() => {
    for (const dir of folders) rmSync(dir, { recursive: true, force: true });
  });
  const sizeOf = (parts: ReturnType<typeof partsOf>) => JSON.stringify(openApiDocument({ ...parts, rights: fullRights })).length;

  it('has less than 40 KB for each type, of 18 routes', () => {
    expect((sizeOf(many) - sizeOf(few)) / 270).toBeLessThan(40_000);
  });

  it('takes a few times its size in memory', () => {
    const before = process.memoryUsage().heapUsed;
    const document = openApiDocument({ ...many, rights: fullRights });
    const used = process.memoryUsage().heapUsed - before;
    expect(Object.keys(document.paths).length).toBeGreaterThan(300 * 5);
    expect(used).toBeLessThan(200_000_000);
  });

  it('has only the types that the caller may reach', () => {
    const actions = ['api::type0.type0.find', 'api::type1.type1.findOne', 'api::type2.type2.find'];
    const { components, paths } = openApiDocument({ ...many, rights: rightsTo(actions) });
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/_'))).toEqual([
      '/api/type0s',
      '/api/type0s/{documentId}/related',
      '/api/type1s/{documentId}',
      '/api/type1s/{documentId}/versions-of-locales',
      '/api/type1s/{documentId}/references',
      '/api/type2s',
    ]);
    expect(Object.keys(components.schemas).filter((name) => /^Type\d+$/.test(name))).toEqual(['Type0', 'Type1', 'Type2']);
    expect(Object.keys(components.schemas.Type0?.properties ?? {}).filter((name) => name.startsWith('to'))).toEqual(['to1']);
  });
});
