import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RequestUuid } from '../../src/domain/ids.ts';
import { type InstallationId, markOf, userDataOf } from '../../src/domain/installation.ts';

const field = fc.stringMatching(/^[\w-]{1,40}$/);

it('reads the mark that it wrote, whatever later versions append', () => {
  fc.assert(
    fc.property(field, field, field, fc.array(field, { maxLength: 3 }), (installation, run, uuid, more) => {
      const mark = { installation: installation as InstallationId, run, uuid: uuid as RequestUuid };
      expect(markOf([userDataOf(mark), ...more].join('/'))).toEqual(mark);
    }),
  );
});

it.each([null, '', 'by hand', 'touchline', 'touchliner/v1/a/1/u', ' touchline/v1/a/1/u'])(
  'sees no mark in %j',
  (userData) => expect(markOf(userData)).toBeNull(),
);

it.each([
  ['touchline/7/some-uuid', '7', 'some-uuid'],
  ['touchline/v1/a/1', 'v1', '1'],
  ['touchline/v2/a/b/c/d', 'v2', 'd'],
  ['touchline/', '', ''],
  ['touchline/v1//1/u', 'v1', 'u'],
  ['touchline/v1/a//u', 'v1', 'u'],
  ['touchline/v1/a/1/', 'v1', ''],
  ['touchline/v1', 'v1', ''],
])('reads %j as the mark of another installation', (userData, run, uuid) => {
  expect(markOf(userData)).toEqual({ installation: null, run, uuid });
});
