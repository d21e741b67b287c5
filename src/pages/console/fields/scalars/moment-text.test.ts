import { expect, it } from 'vitest';
import { fullTime, instantText, localText, shortTime, stepOf, zoneText } from './moment-text.ts';

it('shows an instant as the local time, with seconds where there are some', () => {
  // Unit tests run in UTC.
  expect(localText('2024-05-01T10:30:00.000Z')).toBe('2024-05-01T10:30');
  expect(localText('2024-05-01T10:30:15.000Z')).toBe('2024-05-01T10:30:15');
  expect(localText('2024-05-01T10:30:15.250Z')).toBe('2024-05-01T10:30:15.25');
  expect(localText('2024-05-01T10:30:00.250Z')).toBe('2024-05-01T10:30:00.25');
  expect(localText('1714559400000')).toBe('2024-05-01T10:30');
  expect(localText('+012024-05-01T10:30:00.000Z')).toBeUndefined();
  expect(localText('noon')).toBeUndefined();
  expect(localText(null)).toBeUndefined();
});

it('writes what was chosen as the API has it, and loses no part of a second', () => {
  expect(instantText('2024-05-01T10:30', 'datetime')).toBe('2024-05-01T10:30:00.000Z');
  expect(instantText('2024-05-01T10:31:15.250', 'datetime')).toBe('2024-05-01T10:31:15.250Z');
  expect(instantText('2024-05-01T10:30', 'timestamp')).toBe('1714559400000');
  expect(instantText('', 'datetime')).toBeNull();
});

it('shortens and completes times', () => {
  expect(['12:30:00.000', '12:30:05.000', '12:30:00.250', '12:30'].map(shortTime)).toEqual(['12:30', '12:30:05', '12:30:00.250', '12:30']);
  expect(['12:30', '12:30:05', '12:30:05.2'].map(fullTime)).toEqual(['12:30:00.000', '12:30:05.000', '12:30:05.200']);
});

it('steps as finely as the value is', () => {
  expect(['12:30', '2024-05-01T12:30:05', '12:30:05.001'].map(stepOf)).toEqual([60, 1, 0.001]);
});

it('says the time zone', () => {
  expect(zoneText(new Date('2024-05-01T10:30:00Z'), 'en')).toBe('UTC');
});
