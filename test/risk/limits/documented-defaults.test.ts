import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GUARDS } from '../../../src/risk/limits/guard-settings.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';

const PAGE = readFileSync(new URL('../../../docs/reference/risk.md', import.meta.url), 'utf8');

/** The cells of the table rows that begin with a name in code. */
const ROWS = [...PAGE.matchAll(/^\| `(\S+)`\s*\|(.*)\|$/gm)].map(([, name = '', rest = '']) => ({
  name,
  cells: rest.split('|').map((cell) => cell.trim()),
}));

/** The documented default of each limit outside of the guards, by its key. */
const LIMITS = new Map(
  ROWS.filter(({ name, cells }) => name.includes('.') && cells.length === 2).map(({ name, cells }) => [
    name,
    cells[0] === 'all' ? [] : (JSON.parse(cells[0]?.replaceAll('`', '') ?? '') as unknown),
  ]),
);

/** The documented defaults of the guards, by table, and their names. */
const GUARD_ROWS = ROWS.filter(({ cells }) => cells.length === 4);
const GUARD_LIMITS = new Map<string, unknown>(
  GUARD_ROWS.flatMap(({ name, cells }) =>
    Array.from((cells[3] ?? '').matchAll(/`(\w+)` ([\d.]+)/g), ([, key = '', value = '']) => [
      `guards.${name}.${key}`,
      Number(value),
    ]),
  ) as [string, unknown][],
);

/** The leaves of a table by their dotted names. */
function leaves(table: object, prefix = ''): Map<string, unknown> {
  const entries = Object.entries(table) as [string, unknown][];
  return new Map(
    entries.flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...leaves(value, `${prefix}${name}.`)]
        : [[prefix + name, value] as [string, unknown]],
    ),
  );
}

describe('the reference', () => {
  it('names the default of every limit of simulated mode, and no other limit', () => {
    const read = readRiskLimits({}, 'simulated');
    const defaults = leaves(read.ok ? read.limits : {});
    expect(Object.fromEntries(defaults)).toEqual(
      Object.fromEntries([...LIMITS, ...GUARD_LIMITS, ['guards.disabled', []]]),
    );
  });

  it('names every guard, as `disabled` takes it', () => {
    const names = GUARD_ROWS.map(({ cells }) => cells[0]?.replaceAll('`', ''));
    expect(names).toEqual([...GUARDS]);
    for (const name of GUARDS)
      expect(readRiskLimits({ guards: { disabled: [name] } }, 'simulated').ok).toBe(true);
  });
});
