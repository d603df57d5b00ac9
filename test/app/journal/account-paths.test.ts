import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as paths from '../../../src/app/journal/account-paths.ts';

const PAGE = readFileSync(new URL('../../../docs/reference/journal.md', import.meta.url), 'utf8');

it('the page of the journal names every file beside it once', () => {
  const made = Object.entries(paths).flatMap(([name, of]) =>
    name.endsWith('Path') ? (of('/nowhere/journal') as string).slice('/nowhere/journal'.length) : [],
  );
  const [, table = ''] = /^## Files$([^]*?)^## /m.exec(PAGE) ?? [];
  const named = Array.from(table.matchAll(/^\| (`[^|]+`) +\|/gm), ([, files = '']) =>
    files.split(', '),
  ).flat();
  const written = ['-wal', '-shm', '.lock.holder', '.replaced-TIME', ...made];
  expect(named.toSorted()).toEqual(written.map((suffix) => `\`${suffix}\``).toSorted());
});
