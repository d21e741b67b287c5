import { describe, expect, it } from 'vitest';
import { boundStatement, StatementTooLong } from './mysql-statements.ts';

const bound = (text: string, parameters: readonly unknown[]) => {
  const { text: written, values } = boundStatement({ text, parameters }, 1_000_000);
  return {
    text: written,
    values: values.map((value) => (typeof value === 'object' && value !== null && 'value' in value ? value.value : value)),
  };
};

describe('statements for MariaDB', () => {
  it('write a list after IN as placeholders, as many as a power of two', () => {
    expect(bound('SELECT a FROM t WHERE b = ? AND id IN (?) AND c = ?', ['x', [1, 2, 3], 'y'])).toEqual({
      text: 'SELECT a FROM t WHERE b = ? AND id IN (?,?,?,?) AND c = ?',
      values: ['x', 1n, 2n, 3n, 3n, 'y'],
    });
  });

  it('bind a list elsewhere as JSON', () => {
    expect(bound("JSON_TABLE(?, '$[*]' COLUMNS (value bigint PATH '$')) WHERE a = ?", [[1, 2], null])).toEqual({
      text: "JSON_TABLE(?, '$[*]' COLUMNS (value bigint PATH '$')) WHERE a = ?",
      values: ['[1,2]', null],
    });
  });

  it('have no row for an empty list', () => {
    expect(bound('id IN (?)', [[]])).toEqual({ text: 'id IN (?)', values: [null] });
  });

  it('take no question mark in a name or a text for a placeholder', () => {
    expect(bound(`SELECT "a?""?" FROM t WHERE b = 'it''s ? IN (?)' AND id IN (?)`, [[7]])).toEqual({
      text: `SELECT "a?""?" FROM t WHERE b = 'it''s ? IN (?)' AND id IN (?)`,
      values: [7n],
    });
  });

  it('have at most so many placeholders', () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index);
    expect(bound('id IN (?)', [ids])).toEqual({ text: `id IN (${ids.join(',')})`, values: [] });
    const texts = ids.slice(0, 2000).map((id) => `ä'${id}`);
    const written = texts.map((text) => `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`);
    expect(bound('a IN (?)', [texts])).toEqual({ text: `a IN (${written.join(',')})`, values: [] });
  });

  it('are refused before the server would close the connection', () => {
    expect(() => boundStatement({ text: 'SELECT ?', parameters: ['é'.repeat(1000)] }, 2000)).toThrow(StatementTooLong);
  });
});
