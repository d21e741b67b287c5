import { describe, expect, it } from 'vitest';
import { kebabCase, snakeCase } from './snake-case.ts';

describe('snakeCase', () => {
  it.each([
    ['title', 'title'],
    ['Name', 'name'],
    ['opensAt', 'opens_at'],
    ['address2', 'address_2'],
    ['isbn13Code', 'isbn_13_code'],
    ['HTMLBody', 'html_body'],
    ['metaHTML', 'meta_html'],
    ['a1b2', 'a_1_b_2'],
    ['provider_metadata', 'provider_metadata'],
    ['__private', 'private'],
    ['call-to-action', 'call_to_action'],
    ['top1st', 'top_1st'],
    ['Größe', 'grosse'],
    ['naïveÉté', 'naive_ete'],
    ['Øre', 'ore'],
    ["it's", 'its'],
    ['имя', 'имя'],
    ['***', ''],
  ])('%s → %s', (name, column) => expect(snakeCase(name)).toBe(column));
});

it('kebabCase joins the same words with "-"', () => expect(kebabCase('My API2')).toBe('my-api-2'));
