import { expect, it } from 'vitest';
import { shownPlace } from './dataset-index.ts';

it.each([
  ['postgres://me:secret@host:5432/db', 'postgres://me:***@host:5432/db'],
  ['postgresql://me:se:cr@et@host/db', 'postgresql://me:***@host/db'],
  ['postgres://:secret@/db?host=/tmp', 'postgres://:***@/db?host=/tmp'],
  ['postgres://host/db?user=me&password=secret&x=1', 'postgres://host/db?user=me&password=***&x=1'],
  ['postgres://me@host:5432/db', 'postgres://me@host:5432/db'],
  ['postgres://host:5432/db', 'postgres://host:5432/db'],
  ['postgres://host:5432/db?application_name=a@b', 'postgres://host:5432/db?application_name=a@b'],
  ['data/index:1@2', 'data/index:1@2'],
])('%s is shown without its password', (place, shown) => {
  expect(shownPlace(place)).toBe(shown);
});
