import { describe, expect, it } from 'vitest';
import * as naming from './naming.ts';

const archive = 'an_archive_collection_with_a_rather_long_table_name';
const attribute = 'relatedWritersWithAnExceptionallyLongAttributeName';
const link = 'an_archive_collectiobab93_related_writers_with4db4c_lnk';

describe('names up to 55 characters', () => {
  it.each([
    [naming.tableName('articles'), 'articles'],
    [naming.columnName('contactEmail'), 'contact_email'],
    [naming.linkTableName('articles', 'seeAlso'), 'articles_see_also_lnk'],
    [naming.morphTableName('files', 'related'), 'files_related_mph'],
    [naming.componentsTableName('components_shared_heros'), 'components_shared_heros_cmps'],
    [naming.idColumnName('api-token'), 'api_token_id'],
    [naming.inverseIdColumnName('article'), 'inv_article_id'],
    [naming.orderColumnName('article'), 'article_ord'],
    [naming.inverseOrderColumnName('article'), 'inv_article_ord'],
    [naming.typeColumnName('attachments'), 'attachments_type'],
    [naming.indexName(['articles', 'documents'], 'idx'), 'articles_documents_idx'],
    [naming.indexName(['articles_tags_lnk'], 'oifk'), 'articles_tags_lnk_oifk'],
    [naming.componentsOwnerName('abouts'), 'abouts_entity_fk'],
    [naming.ownIndexName('articles', 'drafts'), 'lectern_articles_drafts'],
  ])('%s', (name, expected) => expect(name).toBe(expected));
});

// The expected names come from Strapi 5.54.0.
describe('longer names are shortened', () => {
  it.each([
    [naming.linkTableName(archive, attribute), link],
    [
      naming.columnName('anExceptionallyLongScalarAttributeNameThatGoesOnForAWhile'),
      'an_exceptionally_long_scalar_attribute_name_that_gad94b',
    ],
    [naming.componentsTableName(archive), 'an_archive_collection_with_a_rather_long_tablbab93_cmps'],
    [naming.indexName([link], 'fk'), 'an_archive_collectiobab93_related_writers_with4334e7_fk'],
    [naming.indexName([link], 'ifk'), 'an_archive_collectiobab93_related_writers_with334e7_ifk'],
    [naming.indexName([archive, 'created_by_id'], 'fk'), 'an_archive_collection_with_a_rathbab93_created_by_id_fk'],
    [naming.indexName([archive, 'documents'], 'idx'), 'an_archive_collection_with_a_rather_bab93_documents_idx'],
    [naming.indexName([archive, 'component_type'], 'idx'), 'an_archive_collection_with_a_rabab93_component_type_idx'],
    [naming.componentsOwnerName(archive), 'an_archive_collection_with_a_rather_longbab93_entity_fk'],
  ])('%s', (name, expected) => {
    expect(name).toBe(expected);
    expect(name).toHaveLength(55);
  });
});
