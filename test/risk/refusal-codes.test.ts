import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GUARDS, REFUSAL_CODES } from '../../src/risk/index.ts';

it('documents every refusal code, and no other', () => {
  const page = readFileSync(new URL('../../docs/reference/risk.md', import.meta.url), 'utf8');
  const section = /^## Refusal codes$([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => /^\| `/.test(line));
  const documented = rows.flatMap((row) => {
    const cell = row.split('|')[1] ?? '';
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    // `selection_worst_case`, `event_…` stands for `event_worst_case`.
    const rest = (names[0] ?? '').replace(/^[a-z]+_/, '');
    return names.map((name) => name.replace('…', rest));
  });
  const expected = [...REFUSAL_CODES.filter((code) => !code.startsWith('guard_')), 'guard_NAME'];
  expect(documented.toSorted()).toEqual(expected.toSorted());
  expect(REFUSAL_CODES).toEqual(expect.arrayContaining(GUARDS.map((guard) => `guard_${guard}`)));
});
